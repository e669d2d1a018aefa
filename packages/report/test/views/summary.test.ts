import { expect, it } from "vitest";
import type { Findings } from "../../src/findings.js";
import { describeFindings } from "../../src/views/headline.js";
import { nounsOf } from "../../src/views/nouns.js";
import { describeShares, listStats } from "../../src/views/summary.js";

const shares = (...sizes: number[]) => {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const clusters = sizes.map((size, cluster) => ({ cluster, size, share: size / total }));
  return describeShares(
    clusters as unknown as Findings["clusters"],
    (cluster) => `cluster ${cluster}`,
    nounsOf({ topics: null }),
  );
};

it("says which clusters are the largest and the smallest, if there are such", () => {
  expect(shares(60, 30, 10)).toBe(
    "The largest, cluster 0, holds 60.0 % of the samples, the smallest, cluster 2, 10.0 %.",
  );
  expect(shares(5, 5, 5, 5)).toBe("Each of the 4 clusters holds 25.0 % of the samples.");
  expect(shares(7)).toBe("All samples are in one cluster.");
});

const run = { method: "bonmf", k: 3, fitted: 3, explained: 0.26, relativeError: 0.66, cosine: 0.75, history: [] };
const own = { explained: 0.33, silhouette: 0.14, cosine: 0.8 };
const chance = { explained: 0.21, silhouette: 0.07, cosine: 0.7 };
const large = {
  samples: 10_000,
  wordless: 0,
  features: 784,
  run,
  clusters: [6000, 3000, 1000].map((size) => ({ size })),
  reference: { samples: 300, own, chance, better: true },
  silhouettes: { samples: 4000, mean: 0.158, clusters: [] },
  agreement: { labelAccuracy: 0.614, baseline: { label: "1", share: 0.113 }, nmi: 0.536, ari: 0.414 },
} as unknown as Findings;
const small = { ...large, samples: 300, silhouettes: { samples: 300, mean: 0.14, clusters: [] } } as Findings;
const merged = { ...large, run: { ...large.run, k: 2 }, clusters: large.clusters.slice(0, 2) } as Findings;
const notes = (findings: Findings) => new Map(listStats(findings).map(([name, value, note]) => [name, [value, note]]));

it("compares figures of some samples with those of as many drawn without groups, not with those of all", () => {
  expect(notes(large).get("Explained")).toEqual([
    "26.0 %",
    "of 300 samples: 33.0 %, without groups: 21.0 %; relative error 0.66",
  ]);
  expect(notes(small).get("Explained")?.[1]).toBe("data without groups: 21.0 %; relative error 0.66");
  expect(notes(merged).get("Explained")?.[1]).toBe("one prototype: 0 %; relative error 0.66");
});

it("has one mean silhouette, that of the plot, also of merged clusters", () => {
  expect(notes(large).get("Silhouette")).toEqual([
    "0.158",
    "mean of 4,000 samples; of 300 samples: 0.14, without groups: 0.07",
  ]);
  expect(notes(small).get("Silhouette")).toEqual(["0.14", "mean; data without groups: 0.07"]);
  expect(notes(merged).get("Silhouette")).toEqual(["0.158", "mean of 4,000 samples"]);
});

it("says in one sentence what was found", () => {
  const classes = "61.4 % of the samples have the most frequent class of their cluster";
  expect(describeFindings(large)).toBe(
    `10,000 samples in 3 clusters by bonmf of 1,000 to 6,000 samples, clearer than in data without groups; ${classes}.`,
  );
  expect(describeFindings(merged)).toBe(
    `10,000 samples in 3 clusters by bonmf, merged into 2, of 3,000 to 6,000 samples; ${classes}.`,
  );
  const chanceAlone = { ...large, agreement: null, reference: { ...large.reference, better: false } } as Findings;
  expect(describeFindings(chanceAlone)).toBe(
    "10,000 samples in 3 clusters by bonmf of 1,000 to 6,000 samples, no clearer than in data without groups: " +
      "nothing shows that there are groups.",
  );
});

it("speaks of documents, topics and words where there are topics", () => {
  const told = { ...large, topics: { npmi: [0.3, null, 0.1], diversity: 0.9 } } as unknown as Findings;
  expect(describeFindings(told)).toBe(
    "10,000 documents in 3 topics by bonmf of 1,000 to 6,000 documents, clearer than in data without groups; " +
      "61.4 % of the documents have the most frequent class of their topic.",
  );
  const [first, second] = listStats(told);
  expect(first).toEqual(["Documents", "10,000", "784 words"]);
  expect(second.slice(0, 2)).toEqual(["Topics", "3"]);
  const tiles = notes(told);
  expect(tiles.get("Coherence")?.[0]).toBe("0.20");
  expect(tiles.get("Diversity")?.[0]).toBe("90 %");
  for (const name of ["Explained", "Closeness", "Silhouette"]) expect(tiles.has(name), name).toBe(false);
});
