import { expect, it } from "vitest";
import { areFinite, copyRows } from "../../../src/read/duckdb/table-builder.js";

/** Lists of two values that begin at these places. */
function lists(starts: readonly number[], items: readonly number[], validity: bigint | null = null) {
  return {
    entryData: BigUint64Array.from(starts.flatMap((start) => [BigInt(start), 2n])),
    childData: {
      items: Float32Array.from(items),
      validity: { data: validity === null ? null : BigUint64Array.of(validity) },
    },
  };
}

it("copies lists that lie one after the other, or anywhere", () => {
  const out = new Float32Array(4);
  expect(copyRows(lists([0, 2, 4], [1, 2, 3, 4, 5, 6]), 1, 3, 2, out)).toBe(true);
  expect(Array.from(out)).toEqual([3, 4, 5, 6]);
  const all = new Float32Array(6);
  expect(copyRows(lists([4, 0, 2], [1, 2, 3, 4, 5, 6]), 0, 3, 2, all)).toBe(true);
  expect(Array.from(all)).toEqual([5, 6, 1, 2, 3, 4]);
});

it("makes NaN of what is NULL, and says so", () => {
  const out = new Float32Array(4);
  expect(copyRows(lists([2, 0], [1, 2, 3, 4], 0b1101n), 0, 2, 2, out)).toBe(false);
  expect(Array.from(out)).toEqual([3, 4, 1, Number.NaN]);
});

it.each([0, 3, 4, 7, 8])("tells at place %i whether all are finite", (at) => {
  const values = Float32Array.from({ length: 9 }, (_, i) => 3e38 * (i % 2 ? 1 : -1));
  expect(areFinite(values)).toBe(true);
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(areFinite(values.with(at, bad))).toBe(false);
  }
});
