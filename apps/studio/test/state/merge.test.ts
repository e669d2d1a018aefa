import { Dense, fit } from "bonmf";
import { collectFindings } from "bonmf-report";
import { expect, it } from "vitest";
import { join, mergeFindings, nameFindings, separate } from "../../src/state/merge.js";

it("joins groups without gaps, and keeps the names", () => {
  const once = join(separate(4), ["a", "b", "c", "d"], 3, 1);
  expect(once).toEqual({ groups: [0, 1, 2, 1], names: ["a", "d", "c"] });
  expect(join(once.groups, once.names, 0, 2)).toEqual({ groups: [0, 1, 0, 1], names: ["a", "d"] });
});

it("shows merged clusters as one", async () => {
  const X = Array.from({ length: 30 }, (_, i) => [0, 1, 2].map((f) => (f === i % 3 ? 9 : 1) + ((i * 7) % 5) / 10));
  const labels = X.map((_, i) => (i % 3 === 0 ? "a" : "b"));
  const model = await fit(X, { k: 3, seed: 1, init: "plusplus" });
  const findings = collectFindings(model, { X: Dense.from(X), labels });
  expect(mergeFindings(findings, separate(3))).toBe(findings);

  const named = nameFindings(findings, ["first", "", "last"]);
  expect(named.clusters.map(({ name }) => name)).toEqual(["first", null, "last"]);
  expect(findings.clusters.map(({ name }) => name)).toEqual([null, null, null]);

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

it("knows no border inside a group", async () => {
  const centres = [
    [9, 1, 1],
    [1, 9, 5],
    [1, 5, 9],
  ];
  const X = Array.from({ length: 120 }, (_, i) => centres[i % 3].map((c, f) => c + ((i * (f + 3)) % 7) / 2));
  const model = await fit(X, { k: 3, init: centres });
  const findings = collectFindings(model, { X: Dense.from(X) });
  const rivals = ({ borderline }: (typeof findings.clusters)[number]) => new Set(borderline.map(({ rival }) => rival));
  expect(findings.clusters.map(rivals)).toEqual([new Set([1]), new Set([2]), new Set([1])]);
  expect(mergeFindings(findings, [0, 1, 1]).clusters.map(rivals)).toEqual([new Set([1]), new Set()]);
});
