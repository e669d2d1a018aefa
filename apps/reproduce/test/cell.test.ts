import { expect, it } from "vitest";
import { describeWay } from "../src/cell.js";

const way = {
  scheme: "vote",
  neighbors: 5,
  metric: "angle",
  votes: "equal",
  clustersPerClass: 3,
  penalty: 0.1,
} as const;

it.each([
  [{}, "vote of 5"],
  [{ metric: "within" }, "vote of 5 by within"],
  [{ metric: "distance", votes: "closer" }, "vote of 5 by distance, closer ones more"],
  [{ scheme: "majority" }, "majority, 3 clusters a class"],
  [{ scheme: "prototypes" }, "prototypes, 3 clusters a class"],
  [{ scheme: "linear" }, "linear, penalty 0.1"],
] as const)("what auto chose is told: %j", (other, text) => {
  expect(describeWay({ ...way, ...other })).toBe(text);
});
