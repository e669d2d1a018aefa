import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bool,
  bytes,
  double,
  int32,
  int64,
  lazy,
  type Message,
  many,
  message,
  one,
  string,
} from "../../src/connect/codec.js";

const Point = message({ x: one(1, int32), name: one(2, string) });

describe("the codec", () => {
  // The examples of the encoding guide of Protocol Buffers.
  it.each([
    ["a varint", message({ a: one(1, int32) }), { a: 150 }, "089601"],
    ["a string", message({ b: one(2, string) }), { b: "testing" }, "120774657374696e67"],
    ["a message in a message", message({ c: one(3, message({ a: one(1, int32) })) }), { c: { a: 150 } }, "1a03089601"],
    ["minus two", message({ a: one(1, int32) }), { a: -2 }, "08feffffffffffffffff01"],
    ["repeated strings", message({ e: many(5, string) }), { e: ["a", "bc"] }, "2a01612a026263"],
    ["an empty message", message({ c: one(14, message({})) }), { c: {} }, "7200"],
  ])("writes %s as others do", (_, table, value, hex) => {
    const any = table as Message<object>;
    expect(Buffer.from(any.encode(value)).toString("hex")).toBe(hex);
    expect(any.decode(Buffer.from(hex, "hex"))).toEqual(value);
  });

  it("returns what was put in", () => {
    const All = message({
      text: one(1, string),
      data: one(2, bytes),
      flag: one(3, bool),
      small: one(4, int32),
      large: one(16, int64),
      real: one(17, double),
      points: many(100, Point),
    });
    const value = fc.record(
      {
        text: fc.string({ unit: "binary" }),
        data: fc.uint8Array(),
        flag: fc.boolean(),
        small: fc.integer(),
        large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        real: fc.double(),
        points: fc.array(fc.record({ x: fc.integer(), name: fc.string() }, { requiredKeys: [] }), { minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    const check = fc.property(value, (before) => {
      expect(All.decode(All.encode(before))).toEqual(before);
    });
    fc.assert(check);
  });

  it("skips fields it does not know", () => {
    const More = message({ x: one(1, int32), extra: one(9, message({ deep: one(1, double) })), name: one(2, string) });
    const encoded = More.encode({ x: 3, extra: { deep: 1.5 }, name: "p" });
    expect(Point.decode(encoded)).toEqual({ x: 3, name: "p" });
  });

  it("lets a message contain itself", () => {
    interface Tree {
      branches?: Tree[] | undefined;
    }
    const Tree: Message<Tree> = message({
      branches: many(
        1,
        lazy((): Message<Tree> => Tree),
      ),
    });
    const tree = { branches: [{ branches: [{}, {}] }, {}] };
    expect(Tree.decode(Tree.encode(tree))).toEqual(tree);
  });

  it("skips a field of another wire type", () => {
    expect(Point.decode(Buffer.from("0a0178" + "120170", "hex"))).toEqual({ name: "p" });
  });

  it.each([
    ["bytes that end too early", "1206" + "6c6f"],
    ["a field that ends after its message", "1a03" + "0805" + "1207"],
    ["a tag that is none", "0f"],
    ["a group that never ends", "0b"],
  ])("refuses %s", (_, hex) => {
    const Outer = message({ x: one(1, int32), name: one(2, string), point: one(3, Point) });
    const error = expect.objectContaining({ name: "SparkError", code: "protocol" });
    expect(() => Outer.decode(Buffer.from(hex, "hex"))).toThrow(error);
  });
});
