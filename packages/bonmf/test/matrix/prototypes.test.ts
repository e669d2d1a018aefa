import { expect, test } from "vitest";
import { orthonormalise } from "../../src/matrix/prototypes.js";
import { draws } from "../synthetic.js";

/** Row after row, each twice. */
function plain(rows: readonly (readonly number[])[]): number[][] {
  const done: number[][] = [];
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, f) => sum + value * b[f], 0);
  for (const given of rows) {
    let row = [...given];
    for (let again = 0; again < 2; again++) {
      for (const other of done) {
        const along = dot(row, other);
        row = row.map((value, f) => value - along * other[f]);
      }
    }
    const length = Math.sqrt(dot(row, row));
    const scale = length > 1e-12 * Math.sqrt(dot(given, given)) ? 1 / length : 0;
    done.push(row.map((value) => value * scale));
  }
  return done;
}

test.each([1, 4, 5, 11])("%i rows are orthonormalised to the bit as one after the other", (count) => {
  const next = draws(count);
  const rows = Array.from({ length: count }, () => Array.from({ length: 13 }, () => next() - 0.5));
  // One that depends on two others.
  if (count > 4) rows[4] = rows[0].map((value, f) => value + 2 * rows[2][f]);
  const Q = orthonormalise(Float64Array.from(rows.flat()), count);
  expect([...Q]).toEqual(plain(rows).flat());
  if (count > 4) expect([...Q.subarray(4 * 13, 5 * 13)].every((value) => value === 0)).toBe(true);
});
