// NumPy archives: arrays with labels, and SciPy's sparse matrices.
import { writeFileSync } from "node:fs";
import { Dense, writeNpy } from "bonmf";
import { readArrays } from "../../apps/cli/src/read/formats/arrays.ts";
import { encode, join, makeZip, repairZip } from "../containers.js";
import { placeFile } from "../scratch.js";

const texts = join([
  Uint8Array.of(0x93),
  encode("NUMPY\x01\0"),
  Uint8Array.of(56, 0),
  encode("{'descr': '|S3', 'fortran_order': False, 'shape': (2,)}\n"),
  encode("abcde\0"),
]);
const vector = (...values) => writeNpy(Dense.from(values.map((value) => [value])));

export const seeds = () => [
  makeZip([
    [
      "X.npy",
      writeNpy(
        Dense.from([
          [1, 2],
          [3, 4],
        ]),
      ),
    ],
    ["y.npy", texts],
  ]),
  makeZip([
    ["indices.npy", vector(2, 0)],
    ["indptr.npy", vector(0, 1, 2)],
    ["shape.npy", vector(2, 3)],
    ["data.npy", vector(5, 6)],
  ]),
];
export const tokens = ["<U2", "|S3", "<i4", "<f8", "'shape': (", "indptr.npy", "format.npy", "y.npy"];
export const repair = repairZip;
export const memoryBudget = { base: 4 * 2 ** 20, perByte: 4000 };

const path = placeFile("npz");

export async function read(bytes) {
  writeFileSync(path, bytes);
  await readArrays("npz", [{ path, name: "input.npz" }], {});
}
