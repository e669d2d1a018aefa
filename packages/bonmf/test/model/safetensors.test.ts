import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError, OptionError } from "../../src/errors.js";
import { decodeTensors, encodeTensors, type Tensor, type TensorData } from "../../src/model/safetensors.js";

/** A file with this header text and data bytes, sound or not. */
function file(header: unknown, data: Uint8Array | number = 0): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const body = typeof data === "number" ? new Uint8Array(data) : data;
  const out = new Uint8Array(8 + text.length + body.length);
  new DataView(out.buffer).setUint32(0, text.length, true);
  out.set(text, 8);
  out.set(body, 8 + text.length);
  return out;
}

const headerOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(8, 8 + new DataView(bytes.buffer).getUint32(0, true)));

const vector = (data: TensorData): Tensor => ({ shape: [data.length], data });

const sample: Record<string, Tensor> = {
  W: { shape: [1, 3], data: Float32Array.of(1.5, -2, 3) },
  mean: vector(Float64Array.of(0.1, 1e300)),
  labels: vector(Uint8Array.of(0, 1, 255)),
  ids: vector(Uint16Array.of(7, 65535)),
  counts: vector(Uint32Array.of(4294967295)),
  steps: vector(Int32Array.of(-3, 2)),
  é: { shape: [0, 2], data: new Float32Array(0) },
  loss: { shape: [], data: Float64Array.of(2.5) },
};

// import base64, numpy as np
// from safetensors.numpy import save  # safetensors 0.8.0
// print(base64.b64encode(save({
//     "W": np.array([[1.5, -2, 3]], dtype=np.float32), "mean": np.array([0.1, 1e300]),
//     "labels": np.array([0, 1, 255], dtype=np.uint8), "ids": np.array([7, 65535], dtype=np.uint16),
//     "counts": np.array([4294967295], dtype=np.uint32), "steps": np.array([-3, 2], dtype=np.int32),
//     "é": np.zeros((0, 2), np.float32), "loss": np.array(2.5)}, {"format": "bonmf"})).decode())
const python = Uint8Array.from(
  Buffer.from(
    "+AEAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJib25tZiJ9LCJsb3NzIjp7ImR0eXBlIjoiRjY0Iiwic2hhcGUiOltd" +
      "LCJkYXRhX29mZnNldHMiOlswLDhdfSwibWVhbiI6eyJkdHlwZSI6IkY2NCIsInNoYXBlIjpbMl0sImRhdGFfb2Zmc2V0cyI6Wzgs" +
      "MjRdfSwiVyI6eyJkdHlwZSI6IkYzMiIsInNoYXBlIjpbMSwzXSwiZGF0YV9vZmZzZXRzIjpbMjQsMzZdfSwiw6kiOnsiZHR5cGUi" +
      "OiJGMzIiLCJzaGFwZSI6WzAsMl0sImRhdGFfb2Zmc2V0cyI6WzM2LDM2XX0sImNvdW50cyI6eyJkdHlwZSI6IlUzMiIsInNoYXBl" +
      "IjpbMV0sImRhdGFfb2Zmc2V0cyI6WzM2LDQwXX0sInN0ZXBzIjp7ImR0eXBlIjoiSTMyIiwic2hhcGUiOlsyXSwiZGF0YV9vZmZz" +
      "ZXRzIjpbNDAsNDhdfSwiaWRzIjp7ImR0eXBlIjoiVTE2Iiwic2hhcGUiOlsyXSwiZGF0YV9vZmZzZXRzIjpbNDgsNTJdfSwibGFi" +
      "ZWxzIjp7ImR0eXBlIjoiVTgiLCJzaGFwZSI6WzNdLCJkYXRhX29mZnNldHMiOls1Miw1NV19fSAgICAgICAAAAAAAAAEQJqZmZmZ" +
      "mbk/nHUAiDzkN34AAMA/AAAAwAAAQED//////f///wIAAAAHAP//AAH/",
    "base64",
  ),
);

describe("encodeTensors", () => {
  it("writes byte for byte what the Python library writes", () => {
    expect(encodeTensors(sample, { format: "bonmf" })).toEqual(python);
  });

  it("begins the data, and with it every tensor, at an aligned byte", () => {
    for (const name of ["a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"]) {
      const bytes = encodeTensors({ [name]: vector(Float64Array.of(1)), b: vector(Uint8Array.of(1)), ...sample }, {});
      expect(bytes[0] % 8).toBe(0);
      for (const { data } of decodeTensors(bytes).tensors.values()) expect(data.buffer).toBe(bytes.buffer);
    }
  });

  it("keeps numbers as names, and names of Object.prototype, in the order of the data", () => {
    const names = ["10", "2", "__proto__", "a", "constructor", "toString"];
    const tensors = Object.fromEntries(names.map((name, i) => [name, vector(Uint8Array.of(i))]).reverse());
    const bytes = encodeTensors(tensors, {});
    expect([...headerOf(bytes).matchAll(/"(\w+)":\{/g)].map(([, name]) => name)).toEqual(names);
    expect([...decodeTensors(bytes).tensors]).toEqual(names.map((name, i) => [name, vector(Uint8Array.of(i))]));
  });

  it("writes what a view shows and not the rest of its buffer", () => {
    const data = Float64Array.of(1, 2, 3, 4).subarray(1, 3);
    expect(decodeTensors(encodeTensors({ a: vector(data) }, {})).tensors.get("a")?.data).toEqual(Float64Array.of(2, 3));
  });

  it("writes an empty file", () => {
    const { tensors, metadata } = decodeTensors(encodeTensors({}, {}));
    expect(tensors.size).toBe(0);
    expect(Object.keys(metadata)).toEqual([]);
  });

  it.each<[string, Record<string, Tensor>, RegExp]>([
    ["a shape that does not fit", { a: { shape: [2, 2], data: new Uint8Array(3) } }, /"a" holds 3 .* \[2, 2\]/],
    ["a fractional shape", { a: { shape: [1.5, 2], data: new Uint8Array(3) } }, /\[1.5, 2\]/],
    ["a type without a dtype", { a: vector(new Int8Array(1) as unknown as TensorData) }, /"a" is Int8Array/],
    ["the reserved name", { __metadata__: vector(new Uint8Array(1)) }, /__metadata__/],
  ])("refuses %s", (_, tensors, message) => {
    expect(() => encodeTensors(tensors, {})).toThrow(OptionError);
    expect(() => encodeTensors(tensors, {})).toThrow(expect.objectContaining({ option: "tensors" }));
    expect(() => encodeTensors(tensors, {})).toThrow(message);
  });
});

describe("decodeTensors", () => {
  it("reads what the Python library wrote", () => {
    const { tensors, metadata } = decodeTensors(python);
    expect(Object.fromEntries(tensors)).toEqual(sample);
    expect({ ...metadata }).toEqual({ format: "bonmf" });
  });

  it("shares the bytes where they are aligned and copies where they are not", () => {
    const bytes = encodeTensors({ a: vector(Float32Array.of(1, 2)), b: vector(Uint8Array.of(3)) }, {});
    for (let offset = 0; offset < 9; offset++) {
      // A Buffer, since its slice() is a view and must not be mistaken for a copy.
      const moved = Buffer.from(new ArrayBuffer(bytes.length + offset + 5), offset, bytes.length);
      moved.set(bytes);
      const { tensors } = decodeTensors(moved);
      const { a, b } = Object.fromEntries(tensors);
      expect(a.data).toEqual(Float32Array.of(1, 2));
      expect(b.data).toStrictEqual(Uint8Array.of(3));
      expect(a.data.buffer === moved.buffer).toBe(offset % 4 === 0);
      expect(b.data.buffer).toBe(moved.buffer);
    }
  });

  it("pollutes no prototype", () => {
    const header =
      '{"__metadata__":{"__proto__":"x","constructor":"y"},"__proto__":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}';
    const { tensors, metadata } = decodeTensors(file(header, 1));
    expect([...tensors.keys()]).toEqual(["__proto__"]);
    expect(Object.entries(metadata)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    expect(Object.keys(metadata)).toHaveLength(2);
    expect(decodeTensors(file("{}")).metadata.constructor).toBeUndefined();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it("takes unpadded headers, empty tensors anywhere and tensors listed in any order", () => {
    const header = {
      b: { dtype: "U8", shape: [2], data_offsets: [1, 3] },
      none: { dtype: "F64", shape: [0, 9], data_offsets: [1, 1] },
      a: { dtype: "U8", shape: [1, 1], data_offsets: [0, 1] },
    };
    const { tensors } = decodeTensors(file(header, Uint8Array.of(5, 6, 7)));
    expect([...tensors]).toEqual([
      ["a", { shape: [1, 1], data: Uint8Array.of(5) }],
      ["none", { shape: [0, 9], data: new Float64Array(0) }],
      ["b", { shape: [2], data: Uint8Array.of(6, 7) }],
    ]);
  });

  const u8 = (shape: unknown, offsets: unknown, dtype: unknown = "U8") => ({ dtype, shape, data_offsets: offsets });
  const length = (low: number, high: number) => {
    const bytes = new Uint8Array(24);
    new DataView(bytes.buffer).setUint32(0, low, true);
    new DataView(bytes.buffer).setUint32(4, high, true);
    return bytes;
  };
  const deep = "[".repeat(200_000) + "]".repeat(200_000);

  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(0), /0 bytes are too few/],
    ["less than a length", new Uint8Array(7), /7 bytes are too few/],
    ["a length alone", new Uint8Array(8), /must be a JSON object/],
    ["a header beyond the end", length(17, 0), /claims 17 bytes, but only 16 follow/],
    ["a header of 100 MB that is not there", length(100_000_000, 0), /claims 100000000 bytes, but only 16 follow/],
    ["a header over 100 MB", length(100_000_001, 0), /header of 100000001 bytes, more than/],
    ["a header of 2^64 − 1 bytes", length(0xffffffff, 0xffffffff), /more than the 100000000 allowed/],
    ["an empty header", length(0, 0), /must be a JSON object/],
    ["a header that is not UTF-8", file("{\u{10ffff}}").map((b) => (b === 0xf4 ? 0xff : b)), /not UTF-8/],
    ["a header that is not JSON", file('{"a":'), /not JSON/],
    ["a byte order mark", file("\ufeff{}"), /begins with/],
    ["an array as header", file("[]"), /must be a JSON object/],
    ["another file", file("x".repeat(50)), /begins with "x{10}"$/],
    ["null as header", file("null"), /must be a JSON object/],
    [
      "an unknown dtype",
      file({ a: u8([1], [0, 1], "F8_E4M3") }, 1),
      /"a" has dtype "F8_E4M3"; known here are F64, F32, U32/,
    ],
    ["a dtype from Object.prototype", file({ a: u8([1], [0, 1], "constructor") }, 1), /dtype "constructor"/],
    ["no dtype", file({ a: { shape: [1], data_offsets: [0, 1] } }, 1), /dtype undefined/],
    ["a tensor that is no object", file({ a: null }), /"a" must be described by an object, not null/],
    ["a tensor that is an array", file({ a: [1] }), /"a" must be described by an object, not \[1\]/],
    ["a negative shape", file({ a: u8([-1], [0, 1]) }, 1), /shape \[-1\]/],
    ["a fractional shape", file({ a: u8([0.5, 2], [0, 1]) }, 1), /shape \[0.5, 2\]/],
    ["a shape of strings", file({ a: u8(["1"], [0, 1]) }, 1), /shape an array of 1/],
    ["a shape of numbers and strings", file({ a: u8([1, "2"], [0, 1]) }, 1), /shape an array of 2/],
    ["a long shape", file({ a: u8([1, 1, 1, 1, 1, 1, 1, -1], [0, 1]) }, 1), /shape \[1, 1, 1, 1, 1, 1, 1, -1\]/],
    ["a longer shape", file({ a: u8([1, 1, 1, 1, 1, 1, 1, 1, -1], [0, 1]) }, 1), /shape an array of 9/],
    ["no shape", file({ a: u8(undefined, [0, 1]) }, 1), /shape undefined/],
    ["a size beyond 2^53", file('{"a":{"dtype":"U8","shape":[1e300],"data_offsets":[0,1]}}', 1), /shape \[1e\+300\]/],
    ["a product beyond 2^53", file({ a: u8([2 ** 30, 2 ** 30], [0, 1]) }, 1), /no file holds/],
    ["a product beyond 2^53, times 0", file({ a: u8([2 ** 30, 2 ** 30, 0], [0, 0]) }), /no file holds/],
    ["a huge shape", file({ a: u8([2 ** 40], [0, 1]) }, 1), /has 1 bytes, but its shape \[1099511627776\] of U8 needs/],
    [
      "a size of another dtype",
      file({ a: u8([1], [0, 4], "F64") }, 4),
      /has 4 bytes, but its shape \[1\] of F64 needs 8/,
    ],
    ["a later size", file({ a: u8([1], [0, 1]), b: u8([1], [1, 5], "F64") }, 5), /"b" has 4 bytes, but/],
    ["fractional offsets", file({ a: u8([1], [0, 1.5]) }, 2), /data_offsets \[0, 1.5\]/],
    ["negative offsets", file({ a: u8([1], [-1, 0]) }, 1), /data_offsets \[-1, 0\]/],
    ["offsets as strings", file({ a: u8([1], ["0", "1"]) }, 1), /data_offsets an array of 2/],
    ["three offsets", file({ a: u8([1], [0, 1, 2]) }, 1), /data_offsets \[0, 1, 2\]/],
    ["no offsets", file({ a: u8([1], undefined) }, 1), /data_offsets undefined/],
    ["reversed offsets", file({ a: u8([1], [1, 0]) }, 1), /ends at byte 0, before it begins at 1/],
    ["an end beyond the file", file({ a: u8([2], [0, 2]) }, 1), /ends at byte 2, but the file holds only 1/],
    ["an overlap", file({ a: u8([2], [0, 2]), b: u8([2], [1, 3]) }, 3), /"b" begins at byte 1 instead of 2.*overlap/],
    ["a tensor twice", file({ a: u8([2], [0, 2]), b: u8([2], [0, 2]) }, 2), /"b" begins at byte 0 instead of 2/],
    ["a gap", file({ a: u8([1], [0, 1]), b: u8([1], [2, 3]) }, 3), /"b" begins at byte 2 instead of 1.*gap/],
    ["a hole in front", file({ a: u8([1], [1, 2]) }, 2), /"a" begins at byte 1 instead of 0/],
    ["trailing bytes", file({ a: u8([1], [0, 1]) }, 4), /3 bytes follow the last tensor/],
    ["metadata that is a string", file({ __metadata__: "x" }), /__metadata__ must be an object of strings, not "x"/],
    ["metadata that is an array", file({ __metadata__: ["x"] }), /__metadata__ must be an object of strings/],
    ["a number in the metadata", file({ __metadata__: { k: 3 } }), /__metadata__ "k" is 3, not a string/],
    [
      "an object that says what it is",
      file({ a: { dtype: { constructor: { name: "U8" } }, shape: [], data_offsets: [0, 1] } }, 1),
      /"a" has dtype an object;/,
    ],
    ["a deep header", file(`{"a":${deep}}`), /not JSON|described by an object/],
    ["a deep shape", file(`{"a":{"dtype":"U8","shape":${deep},"data_offsets":[0,0]}}`), /not JSON|shape an array/],
    [
      "an object that will not be a string",
      file({ a: u8({ constructor: { name: { toString: 1 } } }, [0, 0]) }),
      /shape an object:/,
    ],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => decodeTensors(bytes, "model.bin")).toThrow(FormatError);
    expect(() => decodeTensors(bytes, "model.bin")).toThrow(message);
    expect(() => decodeTensors(bytes, "model.bin")).toThrow(/^model\.bin: /);
  });
});

it("errors keep their cause, and name the format where no file is named", () => {
  const parse = () => decodeTensors(file('{"a":'));
  expect(parse).toThrow(/^safetensors: /);
  expect(parse).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
});

describe("both", () => {
  const data = fc.oneof(
    ...[Float32Array, Float64Array, Uint8Array, Uint16Array, Uint32Array, Int32Array].map((Type) =>
      fc
        .uint8Array({ maxLength: 6 })
        .map(
          (bytes): TensorData =>
            new Type(new Uint8Array(bytes.length * 8).map((_, i) => bytes[i >> 3] * (i + 1)).buffer),
        ),
    ),
  );
  const tensor = data.map((data): Tensor => ({ shape: [1, data.length], data }));
  const name = fc.string({ unit: "grapheme" }).filter((name) => name !== "__metadata__");
  const tensors = fc.dictionary(name, tensor, { maxKeys: 6 });
  const metadata = fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), { maxKeys: 4 });

  it("give back what was written", () => {
    fc.assert(
      fc.property(tensors, metadata, (tensors, metadata) => {
        const decoded = decodeTensors(encodeTensors(tensors, metadata));
        expect(decoded.tensors).toEqual(new Map(Object.entries(tensors)));
        expect(Object.entries(decoded.metadata).sort()).toEqual(Object.entries(metadata).sort());
      }),
    );
  });

  it("either read a damaged file or say what is wrong", () => {
    const flip = fc.record({ at: fc.nat(), bit: fc.nat(7) });
    const text = fc.record({
      at: fc.nat(),
      text: fc.constantFrom("-1", "9", '"', "[", "]", "{", "}", "null", "1e99", ","),
    });
    fc.assert(
      fc.property(
        fc.array(flip, { maxLength: 4 }),
        fc.array(text, { maxLength: 4 }),
        fc.option(fc.nat(python.length)),
        (flips, texts, end) => {
          const bytes = python.slice();
          for (const { at, bit } of flips) bytes[at % bytes.length] ^= 1 << bit;
          for (const { at, text } of texts) bytes.set(new TextEncoder().encode(text), 8 + (at % 500));
          try {
            let held = 0;
            for (const { data } of decodeTensors(bytes.subarray(0, end ?? bytes.length)).tensors.values()) {
              held += data.byteLength;
            }
            expect(held).toBeLessThan(bytes.length);
          } catch (error) {
            if (!(error instanceof FormatError)) throw error;
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("refuse every truncation", () => {
    for (let end = 0; end < python.length; end++) {
      expect(() => decodeTensors(python.subarray(0, end))).toThrow(FormatError);
    }
  });
});
