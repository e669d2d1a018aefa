// The hot loops of read/direct: from the bytes of a file to rows of the matrix. Addresses are bytes of a thread's own
// memory. Sizes that a damaged file claims are checked against the end of the page; an address beyond the memory traps.

export { convert } from "./convert";
export { countLines, readLines } from "./csv";
export { areAllOne, lookUp, start } from "./runs";
export { unpackSnappy } from "./snappy";
export { transpose } from "./transpose";
