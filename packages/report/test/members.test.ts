import { expect, it } from "vitest";
import { chooseMembers } from "../src/members.js";

const assignments = {
  clusters: Uint32Array.from([0, 0, 0, 0, 0, 0]),
  cosines: Float64Array.from([0.9, 0.9, 0.8, 0.5, 0.5, 0.6]),
  margins: Float64Array.from([0.5, 0.5, 0.4, 0.1, 0.1, 0.2]),
};
const texts = ["a", "a", "b", "c", "c", "d"];

it("are those of highest cosine, then those of smallest margin", () => {
  expect(chooseMembers(assignments, 1, 2)).toEqual([{ typical: [0, 1], borderline: [3, 4] }]);
});

it("are different texts", () => {
  expect(chooseMembers(assignments, 1, 2, texts)).toEqual([{ typical: [0, 2], borderline: [3, 5] }]);
  expect(chooseMembers(assignments, 1, 6, texts)).toEqual([{ typical: [0, 2, 5, 3], borderline: [] }]);
});
