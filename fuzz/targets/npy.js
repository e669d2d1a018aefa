// NumPy arrays of one, two or more dimensions.
import { Dense, readNpy, writeNpy } from "bonmf";
import { loadNpy } from "bonmf-data";
import { encode, join } from "../containers.js";
import { attempt, expectSame } from "../oracle.js";

export const seeds = () => [
  writeNpy(Dense.from([[5, 1, 3]])),
  writeNpy(Dense.from([[2], [8]], "f64")),
  makeNpy("<u1", "(2, 2, 3)", 12),
  makeNpy(">i2", "(3,)", 6),
  makeNpy("<i8", "(1, 2)", 16, "True"),
];
export const tokens = [
  "'descr'",
  "'fortran_order'",
  "True",
  "False",
  "'shape': (",
  "<f4",
  ">f8",
  "|b1",
  "<i8",
  "<U4",
  "3L",
];

function makeNpy(type, shape, size, fortran = "False") {
  const head = `{'descr': '${type}', 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;
  const values = Uint8Array.from({ length: size }, (_, p) => p);
  return join([Uint8Array.of(0x93), encode("NUMPY\x01\0"), Uint8Array.of(head.length, 0), encode(head), values]);
}

export function read(bytes) {
  attempt(() => loadNpy(bytes, "input.npy"));
  const { X } = readNpy(bytes);
  if (X.data.some(Number.isNaN)) return;
  expectSame(readNpy(writeNpy(X)).X, X, "read after write");
}
