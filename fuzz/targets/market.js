// Matrix Market, coordinates and arrays.
import { readMatrixMarket, writeMatrixMarket } from "bonmf";
import { encode } from "../containers.js";
import { expectSame } from "../oracle.js";

export const seeds = () =>
  [
    "%%MatrixMarket matrix coordinate real general\n% note\n2 3 2\n1 1 5\n2 3 4.5\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n",
    "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n",
    "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n",
  ].map(encode);
export const tokens = ["coordinate", "array", "pattern", "symmetric", "general", "integer", "complex", "hermitian"];

/** Rows without values cost time too: as many as fit into the bytes that are allowed. */
export const workBudget = { base: 4_000_000, perByte: 1000 };

export function read(bytes) {
  const { X } = readMatrixMarket(bytes, { precision: "f64", maxBytes: 2 ** 20 });
  expectSame(readMatrixMarket(writeMatrixMarket(X), { precision: "f64" }).X, X, "read after write");
}
