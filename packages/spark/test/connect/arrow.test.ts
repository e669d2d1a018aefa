import {
  Decimal,
  Dictionary,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  type RecordBatch,
  Struct,
  Table,
  tableFromArrays,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { decodeBatches, encodeTable, readRows } from "../../src/connect/arrow.js";

describe("a table on its way to Spark", () => {
  it("has no dictionaries", () => {
    const table = tableFromArrays({ word: ["tea", "coffee", "tea"], count: Int32Array.of(1, 2, 3) });
    expect(table.schema.fields[0].type).toBeInstanceOf(Dictionary);
    const back = tableFromIPC(encodeTable(table));
    expect(back.schema.fields.map(({ type }) => String(type))).toEqual(["Utf8", "Int32"]);
    expect(back.toArray().map((row) => row.toJSON())).toEqual([
      { word: "tea", count: 1 },
      { word: "coffee", count: 2 },
      { word: "tea", count: 3 },
    ]);
  });

  it("keeps the order of its columns, whatever their names", () => {
    const table = new Table({ z: vectorFromArray(["a"]) }).assign(new Table({ 1: vectorFromArray(["b"]) }));
    expect(tableFromIPC(encodeTable(table)).schema.names).toEqual(["z", "1"]);
  });

  it("keeps nulls", () => {
    const table = new Table({
      x: vectorFromArray([1.5, null, 2], new Float64()),
      s: vectorFromArray([null, "a", null]),
    });
    expect(readRows(tableFromIPC(encodeTable(table)).batches[0])).toEqual([
      { x: 1.5, s: null },
      { x: null, s: "a" },
      { x: 2, s: null },
    ]);
  });
});

describe("rows", () => {
  it("are plain values, deep down", () => {
    const pair = new Struct([new Field("p", new Int32()), new Field("q", new Utf8())]);
    const values = [[{ p: 1, q: "a" }, null], null, []];
    const table = new Table({ nested: vectorFromArray(values, new List(new Field("item", pair))) });
    const rows = [...decodeBatches(tableToIPC(table, "stream"))].flatMap(readRows);
    expect(rows).toEqual(values.map((nested) => ({ nested })));
    expect(JSON.stringify(rows[0])).toBe('{"nested":[{"p":1,"q":"a"},null]}');
  });

  it.each([
    [12345n, 2, "123.45"],
    [-5n, 2, "-0.05"],
    [-(10n ** 37n), 0, "-10000000000000000000000000000000000000"],
    [0n, 3, "0.000"],
  ])("write the decimal %s of scale %i as %s", (whole, scale, text) => {
    const words = Uint32Array.from({ length: 4 }, (_, word) =>
      Number(BigInt.asUintN(32, BigInt.asUintN(128, whole) >> BigInt(32 * word))),
    );
    const data = makeData({ type: new Decimal(scale, 38), length: 1, nullCount: 0, data: words });
    const table = new Table({ d: new Vector([data]) });
    expect(readRows(table.batches[0] as RecordBatch)).toEqual([{ d: text }]);
  });
});

describe("rows from a server", () => {
  const data = tableToIPC(new Table({ a: vectorFromArray([1.5, 2, 3]) }), "stream");

  it("that claim more values than they have bytes are refused", () => {
    const claims = Uint8Array.from(data);
    const view = new DataView(claims.buffer);
    for (let at = 0; at + 8 <= claims.length; at += 4) {
      if (view.getBigInt64(at, true) === 3n) view.setBigInt64(at, 3_000_000_000n, true);
    }
    expect(() => [...decodeBatches(claims)]).toThrow("the server sent rows that are not an Arrow stream");
  });

  it("are read or refused, whichever bit is damaged", () => {
    let refused = 0;
    for (let bit = 0; bit < 8 * data.length; bit += 7) {
      const damaged = Uint8Array.from(data);
      damaged[bit >> 3] ^= 1 << (bit & 7);
      try {
        for (const batch of decodeBatches(damaged)) expect(batch.numRows).toBeLessThanOrEqual(8 * data.length);
      } catch (error) {
        expect(error).toMatchObject({ code: "protocol" });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});
