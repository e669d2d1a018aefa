export { type ArffOptions, readArff } from "./arff.js";
export { type CsvOptions, type Delimiter, readCsv, type WriteCsvOptions, writeCsv } from "./csv.js";
export { type LibsvmOptions, readLibsvm, writeLibsvm } from "./libsvm.js";
export { readMatrixMarket, writeMatrixMarket } from "./market.js";
export { readNpy, writeNpy } from "./npy.js";
export type { FileContent } from "./scan.js";
export type { ReadOptions, Table } from "./table.js";
