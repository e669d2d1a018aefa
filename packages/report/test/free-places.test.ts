import { describe, expect, it } from "vitest";
import { findFreePlaces } from "../src/views/free-places.js";

const at = (x: number, y: number) => ({ x, y, width: 20, height: 10 });

describe("places of labels", () => {
  it("stay where nothing is in the way", () =>
    expect(findFreePlaces([at(0, 0), at(20, 0), at(0, 10)])).toEqual([at(0, 0), at(20, 0), at(0, 10)]));

  it("move up or down, later ones farther", () =>
    expect(findFreePlaces([at(0, 0), at(5, 0), at(9, 0)])).toEqual([at(0, 0), at(5, -10), at(9, 10)]));

  it("are none where there is no room", () => {
    const places = findFreePlaces(Array.from({ length: 9 }, () => at(0, 0)));
    expect(places.filter((place) => place === null)).toHaveLength(2);
    expect(new Set(places.slice(0, 7).map((place) => place?.y)).size).toBe(7);
  });
});
