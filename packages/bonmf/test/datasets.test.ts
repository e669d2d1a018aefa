/**
 * The paper's nine datasets. The expectations are the figures an independent numpy implementation found (mean over a few
 * 80/20 splits, k = number of classes); ours must lie within two standard deviations, ours and the sampling error of the
 * test part taken together.
 */
import { describe, expect, it } from "vitest";
import { accuracy, classifier, classReport, fit, holdout } from "../src/index.js";
import type { Matrix } from "../src/matrix/matrix.js";
import { isReal, loadDataset, paperDatasets } from "./datasets.js";

const SEEDS = [0, 1, 2];

/** Percent right with `majority` and with `nearest`, and the share of the commonest class. */
const FIGURES: Record<string, { majority: number; nearest: number; commonest: number | null }> = {
  orl: { majority: 34.6, nearest: 80.4, commonest: null },
  optdigits: { majority: 77.9, nearest: 98.1, commonest: 9.0 },
  phishing: { majority: 56.8, nearest: 96.8, commonest: 56.8 },
  monkey: { majority: 69.6, nearest: 93.5, commonest: 47.6 },
  diabetes: { majority: 64.9, nearest: 61.7, commonest: 64.9 },
  banking: { majority: 86.3, nearest: 78.7, commonest: 86.3 },
  svmguide: { majority: 70.2, nearest: 87.8, commonest: 64.8 },
  pendigits: { majority: 68.0, nearest: 99.1, commonest: 9.6 },
  w8a: { majority: 97.0, nearest: 98.6, commonest: 97.0 },
};

describe.skipIf(!isReal)("the paper's datasets (need BONMF_DATA_DIR)", () => {
  it("are the nine", () => expect([...paperDatasets].sort()).toEqual(Object.keys(FIGURES).sort()));

  it.each(Object.entries(FIGURES))("%s", async (name, figures) => {
    const { X, labels } = await loadDataset(name);
    const y = labels ?? [];
    const k = new Set(y).size;
    const found = { majority: [] as number[], nearest: [] as number[], commonest: [] as number[] };
    for (const seed of name === "w8a" ? SEEDS.slice(0, 1) : SEEDS) {
      const { train, test } = holdout(X.samples, 0.8, seed);
      const [trainX, testX] = [X.take(train) as Matrix, X.take(test) as Matrix];
      const [trainY, testY] = [train, test].map((ids) => Array.from(ids, (i) => y[i]));
      const scale = name === "svmguide" ? "shift" : "none";
      const model = await fit(trainX, { k, seed, scale });
      expect(model.converged).toBe(true);
      expect(model.predict(trainX)).toEqual(model.labels);
      for (const scheme of ["majority", "nearest"] as const) {
        const clf = await classifier(model, trainX, trainY, { scheme });
        found[scheme].push(100 * accuracy(testY, clf.predict(testX)));
      }
      const commonest = classReport(trainY, trainY).majority.label;
      found.commonest.push(100 * accuracy(testY, new Array(testY.length).fill(commonest)));
    }
    const testSize = X.samples / 5;
    for (const [scheme, expected] of Object.entries(figures)) {
      const values = found[scheme as keyof typeof found];
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      const spread = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / Math.max(1, values.length - 1);
      const sampling = expected === null ? 0 : (expected * (100 - expected)) / testSize;
      const off = expected === null ? 0 : Math.abs(mean - expected);
      expect
        .soft(off, `${name} ${scheme}: ${mean.toFixed(1)} against ${expected}`)
        .toBeLessThanOrEqual(2 * Math.sqrt(spread + sampling));
    }
  });
});
