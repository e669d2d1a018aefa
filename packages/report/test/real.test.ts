import { type FitOptions, fit, type Table } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings, renderPage } from "../dist/index.js";
import type { ReportData } from "../src/report-data.js";
import { readSamples } from "./data.js";

const MOST_BYTES = 3_000_000;

async function look({ X, labels, featureNames }: Table, options: FitOptions, recipe: ReportData["recipe"]) {
  const model = await fit(X, { ...options, featureNames: featureNames ?? undefined });
  const findings = await collectFindings(model, { X, labels, recipe });
  return { findings, model, page: await renderPage(findings) };
}

describe("reports of real data", () => {
  it("show Optdigits as pictures of ink", async () => {
    const image = { width: 8, height: 8 };
    const { findings, model, page } = await look(
      readSamples("optdigits/optdigits.csv.gz"),
      { k: 10, seed: 7 },
      { image },
    );
    expect(findings.pictures).toEqual({ ...image, thumb: image, dot: image, ink: true });
    expect(findings.run.same).toBe(true);
    expect(findings.clusters.map(({ size }) => size)).toEqual([...model.counts]);
    expect(findings.map.samples).toHaveLength(4000);
    // Typical digits are of their cluster's majority class, nearly all of them.
    const typical = findings.clusters.flatMap(({ typical, majority }) =>
      typical.map(({ label }) => label === majority?.label),
    );
    expect(typical.filter(Boolean).length).toBeGreaterThan(
      (process.env.BONMF_DATA_REAL === "1" ? 0.8 : 0.5) * typical.length,
    );
    // Borderline ones are worse, by cosine and by margin.
    for (const { typical, borderline } of findings.clusters) {
      expect(borderline).toHaveLength(6);
      expect(Math.max(...borderline.map(({ margin }) => margin))).toBeLessThan(
        Math.min(...typical.map(({ margin }) => margin)),
      );
    }
    // Four of five neighbours on the map share a cluster at least.
    expect(measureNeighbours(findings.map)).toBeGreaterThan(0.8);
    expect(page.length).toBeLessThan(MOST_BYTES);
  });

  it("show ORL as photographs, made smaller", async () => {
    const { findings, page } = await look(
      readSamples("orl/orl.csv.gz"),
      { k: 40 },
      { image: { width: 64, height: 64 } },
    );
    expect(findings.pictures).toMatchObject({ width: 64, height: 64, ink: false });
    expect(findings.pictures!.thumb.width).toBeLessThan(64);
    expect(findings.agreement!.classes).toHaveLength(40);
    expect(page.length).toBeLessThan(MOST_BYTES);
  });

  it("show BBC news as topics", async () => {
    const options = { k: 5, scale: "tfidf", init: "plusplus" } as const;
    const { findings, page } = await look(readSamples("bbc/bbc.svm.gz", "bbc/bbc-vocab.txt.gz"), options, {
      kind: "text",
    });
    expect(findings.form).toBe("text");
    const words = findings.clusters.map(({ distinctive }) => distinctive.map(({ name }) => name));
    for (const word of ["film", "election", "match"]) expect(words.flat()).toContain(word);
    expect(findings.agreement!.nmi).toBeGreaterThan(0.7);
    expect(page.length).toBeLessThan(MOST_BYTES);
  });

  it("stay below 3 MB for 10,000 samples of 784 features", async () => {
    const { page } = await look(
      readSamples("mnist10k/mnist10k.csv.gz"),
      { k: 10, maxIterations: 5 },
      { image: { width: 28, height: 28 } },
    );
    expect(page.length).toBeLessThan(MOST_BYTES);
  });
});

/** The share of points whose nearest other point is of the same cluster. */
function measureNeighbours({ x, y, clusters }: Awaited<ReturnType<typeof collectFindings>>["map"]): number {
  let same = 0;
  for (let i = 0; i < x.length; i++) {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < x.length; j++) {
      const distance = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2;
      if (j !== i && distance < least) [best, least] = [j, distance];
    }
    if (clusters[best] === clusters[i]) same++;
  }
  return same / x.length;
}
