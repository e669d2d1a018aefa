import { Dense, fit } from "bonmf";
import { collectFindings } from "bonmf-report";
import { expect, it } from "vitest";
import { join, listShown, nameFindings, separate } from "../../src/state/merge.js";

it("joins clusters under the lower number; the others keep theirs, and their names", () => {
  const once = join(separate(4), ["a", "b", "c", "d"], 3, 1);
  expect(once).toEqual({ groups: [0, 1, 2, 1], names: ["a", "d", "c", ""] });
  expect(listShown(once.groups)).toEqual([0, 1, 2]);
  const twice = join(once.groups, once.names, 1, 2);
  expect(twice).toEqual({ groups: [0, 1, 1, 1], names: ["a", "d", "", ""] });
  expect(join(separate(2), ["", "b"], 0, 1).names).toEqual(["b", ""]);
});

it("names clusters by their numbers", async () => {
  const X = Array.from({ length: 30 }, (_, i) => [0, 1, 2].map((f) => (f === i % 3 ? 9 : 1) + ((i * 7) % 5) / 10));
  const model = await fit(X, { k: 3, seed: 1, init: "plusplus" });
  const findings = await collectFindings(model, { X: Dense.from(X), groups: [0, 0, 2] });
  const named = nameFindings(findings, ["first", "", "last"]);
  expect(named.clusters.map(({ name }) => name)).toEqual(["first", "last"]);
  expect(findings.clusters.map(({ name }) => name)).toEqual([null, null]);
});
