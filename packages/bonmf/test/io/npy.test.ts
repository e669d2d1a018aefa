import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError, OptionError } from "../../src/errors.js";
import { readNpy, writeNpy } from "../../src/io/index.js";
import { Dense } from "../../src/matrix/dense.js";
import { dense } from "./arbitrary.js";

/** An NPY file by hand: the header as given, then the values by a DataView setter. */
function npy(header: string, values: ArrayBufferView | number[] = [], version = 1): Uint8Array {
  const text = new TextEncoder().encode(header);
  const body = Array.isArray(values)
    ? Uint8Array.from(values)
    : new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const start = version === 1 ? 10 : 12;
  const bytes = new Uint8Array(start + text.length + body.length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  new DataView(bytes.buffer).setUint16(8, text.length, true);
  bytes.set(text, start);
  bytes.set(body, start + text.length);
  return bytes;
}

function header(descr: string, shape: string, fortran = false): string {
  return `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape}), }\n`;
}

describe("readNpy", () => {
  const types: [string, (view: DataView, p: number, little: boolean) => void, number, number][] = [
    ["i1", (view, p) => view.setInt8(p, -5), 1, -5],
    ["u1", (view, p) => view.setUint8(p, 250), 1, 250],
    ["b1", (view, p) => view.setUint8(p, 1), 1, 1],
    ["i2", (view, p, little) => view.setInt16(p, -300, little), 2, -300],
    ["u2", (view, p, little) => view.setUint16(p, 65000, little), 2, 65000],
    ["i4", (view, p, little) => view.setInt32(p, -70000, little), 4, -70000],
    ["u4", (view, p, little) => view.setUint32(p, 3_000_000_128, little), 4, 3_000_000_128],
    ["i8", (view, p, little) => view.setBigInt64(p, -5_000_000_000n, little), 8, -5_000_000_000],
    ["u8", (view, p, little) => view.setBigUint64(p, 5_000_000_000n, little), 8, 5_000_000_000],
    ["f4", (view, p, little) => view.setFloat32(p, 0.25, little), 4, 0.25],
    ["f8", (view, p, little) => view.setFloat64(p, 0.1, little), 8, 0.1],
  ];
  describe.each(types)("of %s", (type, set, size, value) => {
    it.each(["<", ">"])("reads the byte order %s", (mark) => {
      const view = new DataView(new ArrayBuffer(2 * size));
      set(view, size, mark === "<");
      const { X } = readNpy(npy(header(mark + type, "1, 2"), view), { precision: "f64" });
      expect(X).toEqual(Dense.from([[0, value]], "f64"));
    });
  });

  it("reads Fortran order, and one dimension as one feature", () => {
    expect(readNpy(npy(header("|u1", "2, 3", true), [1, 2, 3, 4, 5, 6])).X).toEqual(
      Dense.from([
        [1, 3, 5],
        [2, 4, 6],
      ]),
    );
    expect(readNpy(npy(header("|u1", "3,"), [1, 2, 3])).X).toEqual(Dense.from([[1], [2], [3]]));
    expect(readNpy(npy(header("<f8", "1, 2", true), Float64Array.of(1, 2))).X).toEqual(Dense.from([[1, 2]], "f64"));
  });

  it.each([2, 3])("reads version %i, and what Python 2 wrote", (version) => {
    expect(readNpy(npy(header("|u1", "1L, 2L"), [7, 8], version)).X).toEqual(Dense.from([[7, 8]]));
  });

  it("keeps 64-bit floats, and makes all else 32-bit, unless told", () => {
    expect(readNpy(npy(header("<f8", "1, 1"), Float64Array.of(0.1))).X.precision).toBe("f64");
    expect(readNpy(npy(header("<f8", "1, 1"), Float64Array.of(0.1)), { precision: "f32" }).X).toEqual(
      Dense.from([[0.1]]),
    );
    expect(readNpy(npy(header("<f4", "1, 1"), Float32Array.of(0.5)), { precision: "f64" }).X.precision).toBe("f64");
    expect(readNpy(npy(header("|b1", "1, 2"), [0, 2])).X).toEqual(Dense.from([[0, 1]]));
  });

  it("wraps aligned floats and copies others, from a Buffer too", () => {
    const X = Dense.from(
      [
        [1, 2],
        [3, 4],
      ],
      "f64",
    );
    const bytes = writeNpy(X);
    expect((readNpy(bytes).X as Dense).data.buffer).toBe(bytes.buffer);
    for (const shifted of [new Uint8Array(bytes.length + 3), Buffer.alloc(bytes.length + 3)]) {
      shifted.set(bytes, 3);
      const read = readNpy(shifted.subarray(3)).X as Dense;
      expect(read.data.buffer).not.toBe(shifted.buffer);
      expect(read).toEqual(X);
    }
  });

  const good = npy(header("<f4", "2, 2"), Float32Array.of(1, 2, 3, 4));
  const huge = npy(header("<f4", "1, 1"), Float32Array.of(1), 2);
  new DataView(huge.buffer).setUint32(8, 0xffffffff, true);
  const cases: [string, Uint8Array, string][] = [
    [
      "a wrong magic",
      new TextEncoder().encode("PK\x03\x04 zip"),
      'the file does not begin with "\\x93NUMPY": it is not an NPY file (of an .npz, unzip one array first)',
    ],
    [
      "nothing",
      new Uint8Array(),
      'the file does not begin with "\\x93NUMPY": it is not an NPY file (of an .npz, unzip one array first)',
    ],
    ["a future version", npy("{}", [], 9), "NPY version 9.0 is not 1.0, 2.0 or 3.0"],
    ["a magic alone", good.subarray(0, 6), "the file ends inside its header: it is cut short"],
    ["a header without length", good.subarray(0, 9), "the file ends inside its header: it is cut short"],
    [
      "a truncated header",
      good.subarray(0, 30),
      "the header claims 60 bytes but the file ends before that: it is cut short",
    ],
    ["a huge header", huge, "the header claims 4294967295 bytes, more than the 65536 a plain array can need"],
    [
      "truncated values",
      good.subarray(0, good.length - 1),
      "shape (2, 2) of f4 needs 16 bytes of values, but 15 follow the header: the file is cut short or damaged",
    ],
    [
      "too many values",
      npy(header("|u1", "2, 2"), [1, 2, 3, 4, 5]),
      "shape (2, 2) of u1 needs 4 bytes of values, but 5 follow the header: the file is cut short or damaged",
    ],
    [
      "a vast shape",
      npy(header("<f8", "900000000000, 900000000000"), [1]),
      "shape (900000000000, 900000000000) of f8 needs 6.48e+24 bytes of values, " +
        "but 1 follow the header: the file is cut short or damaged",
    ],
    ["a negative shape", npy(header("|u1", "-1, 4"), []), "shape (-1, 4) does not hold whole numbers of 0 or more"],
    [
      "an endless shape",
      npy(header("|u1", `${"9".repeat(400)}, 0`), []),
      `shape (${"9".repeat(400)}, 0) does not hold whole numbers of 0 or more`,
    ],
    [
      "no dimension",
      npy(header("|u1", ""), [1]),
      "the array has 0 dimensions: reshape it to samples × features, as X.reshape(len(X), -1)",
    ],
    [
      "three dimensions",
      npy(header("|u1", "1, 1, 1"), [1]),
      "the array has 3 dimensions: reshape it to samples × features, as X.reshape(len(X), -1)",
    ],
    [
      "half floats",
      npy(header("<f2", "1, 1"), [0, 0]),
      'the type "<f2" is not read: save the array with .astype("float32")',
    ],
    ["objects", npy(header("|O", "1, 1"), [0]), 'the type "|O" is not read: save the array with .astype("float32")'],
    [
      "a type that is a method of objects",
      npy(header("toString", "1, 1"), [0]),
      'the type "toString" is not read: save the array with .astype("float32")',
    ],
    [
      "records",
      npy("{'descr': [('a', '<f4')], }", []),
      `the header "{'descr': [('a', '<f4')], }" lacks a plain descr, fortran_order or shape: save one array of numbers`,
    ],
  ];
  it.each(["0", "!", "\0", "}", "'shape': (1, 1)"])("refuses %j behind its header", (junk) => {
    expect(() => readNpy(npy(`${header("|u1", "1, 1")} ${junk} `, [0]))).toThrow("lacks a plain descr");
  });

  it.each(["'fortran_order': False 'shape'", "'fortran_order': False, 'more': 1, 'shape'"])("refuses %s", (entries) => {
    expect(() => readNpy(npy(`{'descr': '|u1', ${entries}: (1, 1)}`, [0]))).toThrow("lacks a plain descr");
  });

  it("refuses a version that is not known", () => {
    const bytes = npy(header("|u1", "1, 1"), [0]);
    bytes[7] = 32;
    expect(() => readNpy(bytes)).toThrow("NPY version 1.32 is not 1.0, 2.0 or 3.0");
  });

  it.each(cases)("refuses %s", (_, bytes, message) => {
    expect(() => readNpy(bytes, { name: "x.npy" })).toThrow(new FormatError(`x.npy: ${message}`));
  });

  it("refuses text", () => {
    expect(() => readNpy("text" as unknown as Uint8Array)).toThrow(OptionError);
  });

  it("throws nothing but its own errors on damaged files", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(good.length),
        (edits, end) => {
          const bytes = good.slice(0, end);
          for (const [p, byte] of edits) if (p < end) bytes[p] = byte;
          try {
            readNpy(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("writeNpy", () => {
  it("writes what NumPy writes", () => {
    const bytes = writeNpy(Dense.from([[1, 2]]));
    const text = String.fromCharCode(...bytes.subarray(0, 128));
    expect(text).toBe(
      `\x93NUMPY\x01\0v\0${"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }".padEnd(117)}\n`,
    );
    expect(bytes.length).toBe(128 + 8);
  });

  it("round-trips, views included", () => {
    fc.assert(
      fc.property(dense, (X) => {
        expect(readNpy(writeNpy(X)).X).toEqual(X);
        const tail = X.slice(X.samples - 1, X.samples);
        expect(readNpy(writeNpy(tail)).X).toEqual(tail);
      }),
    );
  });
});
