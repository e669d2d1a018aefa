import { describe, expect, it } from "vitest";
import { chooseRows } from "../src/subsample.js";

describe("the choice of samples", () => {
  it("is all of them where there are few", () => expect([...chooseRows(3, 7)]).toEqual([0, 1, 2]));

  it("is spread over all, rising, and depends on the seed alone", () => {
    const rows = chooseRows(1_000_000, 7);
    expect(rows).toHaveLength(4000);
    rows.forEach((row, p) => {
      expect(Math.floor(row / 250)).toBe(p);
    });
    expect(chooseRows(1_000_000, 7)).toEqual(rows);
    expect(chooseRows(1_000_000, 8)).not.toEqual(rows);
  });
});
