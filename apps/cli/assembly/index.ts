// The hot loops of reading columns without a stop between the file and the matrix. Addresses are bytes of a thread's
// own memory. What a damaged file claims is checked against the page's end; an address beyond the memory traps.

export { countLines, readLines } from "./lines";
export { unpackSnappy } from "./snappy";
export { areAllOne, lookUp, skip, start } from "./runs";
export { convert } from "./plain";
export { areAll, turn } from "./turn";
