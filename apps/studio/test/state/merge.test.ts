import { fit } from "bonmf";
import { collectFindings } from "bonmf-report";
import { expect, it } from "vitest";
import { join, mergeFindings, separate } from "../../src/state/merge.js";

it("joins groups without gaps, and keeps the names", () => {
  const once = join(separate(4), ["a", "b", "c", "d"], 3, 1);
  expect(once).toEqual({ groups: [0, 1, 2, 1], names: ["a", "d", "c"] });
  expect(join(once.groups, once.names, 0, 2)).toEqual({ groups: [0, 1, 0, 1], names: ["a", "d"] });
});

it("shows merged clusters as one", async () => {
  const X = Array.from({ length: 30 }, (_, i) => [0, 1, 2].map((f) => (f === i % 3 ? 9 : 1) + ((i * 7) % 5) / 10));
  const labels = X.map((_, i) => (i % 3 === 0 ? "a" : "b"));
  const model = await fit(X, { k: 3, seed: 1, init: "plusplus" });
  const { Dense } = await import("bonmf");
  const findings = collectFindings(model, { X: Dense.from(X), labels });
  expect(mergeFindings(findings, separate(3))).toBe(findings);

  const own = model.labels[0];
  const groups = [0, 1, 2].map((cluster) => (cluster === own ? 0 : 1));
  const merged = mergeFindings(findings, groups);
  expect(merged.run.k).toBe(2);
  expect(merged.clusters.map(({ size }) => size)).toEqual([10, 20]);
  expect(merged.clusters.map(({ majority }) => majority)).toEqual([
    { label: "a", share: 1 },
    { label: "b", share: 1 },
  ]);
  expect(merged.agreement?.counts).toEqual([
    [10, 0],
    [0, 20],
  ]);
  expect(merged.agreement?.labelAccuracy).toBe(1);
  expect(merged.agreement?.table.map(({ f1 }) => f1)).toEqual([1, 1]);
  expect(merged.clusters[1].typical.every(({ rival }) => rival === 0 || rival === 1)).toBe(true);
});
