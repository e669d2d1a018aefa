import { describe, expect, it } from "vitest";
import { decode, encode } from "../src/wire.js";

describe("the wire", () => {
  it("brings plain data and typed arrays of every length and place", () => {
    const buffer = new ArrayBuffer(80);
    const value = {
      text: 'ü "quoted"\n',
      nested: [{ W: new Float64Array(buffer, 8, 3).fill(Math.PI) }, { empty: new Float32Array(0) }],
      odd: Uint8Array.of(1, 2, 3),
      u16: Uint16Array.of(65535),
      u32: Uint32Array.of(4294967295, 0, 7),
      f32: Float32Array.of(0.1, Number.POSITIVE_INFINITY),
      number: 0.1 + 0.2,
      none: null,
    };
    expect(decode(encode(value))).toEqual(value);
  });

  it("is one line without tabs", () => {
    expect(encode({ text: "a\tb\nc", x: new Float64Array(100) })).toMatch(/^[A-Za-z0-9+/=]+$/);
  });

  it("brings every bit of a number", () => {
    const W = Float64Array.of(Number.MIN_VALUE, -0, Number.NaN, Number.MAX_VALUE, 1 / 3);
    const { W: back } = decode<{ W: Float64Array }>(encode({ W }));
    expect(new Uint8Array(back.buffer, back.byteOffset, back.byteLength)).toEqual(new Uint8Array(W.buffer));
  });
});
