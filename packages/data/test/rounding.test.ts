import { Dense, Sparse } from "bonmf";
import { expect, it } from "vitest";
import { noteRounded, RoundedValues } from "../src/rounding.js";

const rows = [
  [1, 2 ** 24 - 1, 0.1, 0],
  [1, 2 ** 24, 0.2, 1e-40],
  [1, -(2 ** 30), 0.3, 0],
];
const features = ["a", "time", "c", "tiny"];

it("counts large whole numbers and the smallest decimals, dense or sparse", () => {
  const large = '2 values of 16777216 or more may be rounded, since 32-bit numbers keep about 7 digits: "time"';
  for (const X of [Dense.from(rows), Sparse.fromDense(Dense.from(rows))]) {
    const notes = noteRounded({ X, features });
    expect(notes).toEqual([large, expect.stringMatching(/^1 value below 1\.2e-38 may be rounded.*: "tiny"$/)]);
  }
});

it("says nothing of ordinary decimals, of 64 bits, and of samples read as a model says", () => {
  expect(noteRounded({ X: Dense.from([[0.1, 0, 2 ** 24 - 1, -1e-30]]), features: null })).toEqual([]);
  expect(noteRounded({ X: Dense.from(rows, "f64"), features })).toEqual([]);
  expect(noteRounded({ X: Dense.from(rows), features }, { like: {} })).toEqual([]);
});

it("adds up parts, and numbers features without names from 1", () => {
  const rounded = new RoundedValues();
  for (const row of [...rows, ...rows]) rounded.add(Dense.from([row.slice(0, 3)]));
  expect(rounded.notes(null)).toEqual([expect.stringMatching(/^4 values of 16777216 or more .*: "#2"$/)]);
});
