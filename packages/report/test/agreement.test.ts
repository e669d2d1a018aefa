import { expect, it } from "vitest";
import { findMajorities } from "../src/agreement.js";

it("finds the majority of each cluster", () => {
  const classes = ["a", "a", "a", "b", "b", "c"];
  const clusters = Uint8Array.of(0, 0, 1, 1, 1, 1);
  expect(findMajorities(classes, clusters, 3)).toEqual([{ label: "a", share: 1 }, { label: "b", share: 0.5 }, null]);
});
