import { expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { readCsv, readLibsvm, readMatrixMarket, readNpy, writeNpy } from "../../src/io/index.js";
import { allowBytes, requireMemory } from "../../src/io/memory-budget.js";
import { Dense } from "../../src/matrix/dense.js";

const MB = 2 ** 20;

/** An NPY file of bytes without its values. */
function claimNpy(shape: string, values = 0): Uint8Array {
  const text = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117);
  const header = new TextEncoder().encode(`\x00NUMPY\x01\x00${"\x76\x00"}${text}\n`);
  header[0] = 0x93;
  const bytes = new Uint8Array(header.length + values);
  bytes.set(header);
  return bytes;
}

function refuse(read: () => unknown): MemoryError {
  try {
    read();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error("it was read");
}

it("allows small files 512 MB, and larger ones 256 times their size", () => {
  expect(allowBytes(60)).toBe(512 * MB);
  expect(allowBytes(10 * MB)).toBe(2560 * MB);
});

it("says what is claimed, needed, allowed and how to allow it", () => {
  expect(() => requireMemory(8, 8, "x")).not.toThrow();
  expect(refuse(() => requireMemory(Number.NaN, 8, "x")).code).toBe("memory");
  const error = refuse(() => requireMemory(3e9, 2e6, "x.npy claims 5 × 7 values"));
  expect(error.claim).toBe("x.npy claims 5 × 7 values, for which it takes 3.0 GB of memory: 2.0 MB are allowed");
  expect(error.message).toBe(`${error.claim}: if the file is right, raise maxBytes`);
  expect([error.needed, error.allowed]).toEqual([3e9, 2e6]);
});

it("refuses rows of a sparse Matrix Market file that it does not hold", () => {
  const text = "%%MatrixMarket matrix coordinate real general\n268435456 3 1\n1 1 5\n";
  const { claim, needed } = refuse(() => readMatrixMarket(text, { name: "bomb.mtx" }));
  expect(claim).toMatch(/^bomb\.mtx claims 268435456 × 3 values, for which it takes 5\.4 GB/);
  expect(needed).toBeGreaterThan(16 * 268435456);
});

it("refuses samples without features that a NumPy file claims", () => {
  expect(refuse(() => readNpy(claimNpy("1000000000000, 0"))).needed).toBe(4e12);
});

it.each<[string, (maxBytes?: number) => unknown]>([
  ["readNpy", (maxBytes) => readNpy(claimNpy("1000, 4", 4000), { maxBytes })],
  ["readNpy without a copy", (maxBytes) => readNpy(writeNpy(Dense.zeros(1000, 4)), { maxBytes })],
  [
    "readMatrixMarket",
    (maxBytes) => readMatrixMarket("%%MatrixMarket matrix coordinate real general\n999 3 1\n1 1 5\n", { maxBytes }),
  ],
  [
    "readMatrixMarket of an array",
    (maxBytes) =>
      readMatrixMarket(`%%MatrixMarket matrix array real general\n500 4\n${"1\n".repeat(2000)}`, { maxBytes }),
  ],
  ["readCsv", (maxBytes) => readCsv("1,2\n".repeat(1000), { maxBytes })],
  ["readLibsvm", (maxBytes) => readLibsvm("1 1:2 2:3\n".repeat(1000), { maxBytes })],
])("%s obeys maxBytes", (_, read) => {
  expect(read()).toBeDefined();
  expect(read(MB)).toBeDefined();
  expect(refuse(() => read(10_000)).allowed).toBe(10_000);
});
