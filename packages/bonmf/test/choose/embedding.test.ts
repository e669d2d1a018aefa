import { describe, expect, it } from "vitest";
import { countDirections, embed } from "../../src/choose/embedding.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { Random } from "../../src/random.js";
import { finishSteps } from "../../src/steps.js";
import { drawClusters } from "./data.js";

/** Texts of 40 to 120 words of 60 kinds: word f is 1 / (f + 1) as frequent as the first, topic t has its own three more often. */
function drawTexts(samples: number, topics: number, seed = 3): Sparse {
  const random = new Random(seed);
  const shares = Array.from({ length: topics }, (_, t) =>
    Array.from(
      { length: 60 },
      (_, f) => 1 / (f + 1) + (topics > 1 && f >= 10 && Math.floor((f - 10) / 3) === t ? 1 : 0),
    ),
  );
  const rows = Array.from({ length: samples }, (_, i) => {
    const topic = shares[i % topics];
    const total = topic.reduce((sum, share) => sum + share, 0);
    const counts = new Map<number, number>();
    for (let word = 40 + random.below(80); word > 0; word--) {
      let left = random.next() * total;
      let f = 0;
      while (f < 59 && left >= topic[f]) left -= topic[f++];
      counts.set(f, (counts.get(f) ?? 0) + 1);
    }
    return [...counts].sort(([a], [b]) => a - b);
  });
  return Sparse.from(rows as [number, number][][], 60);
}

describe("directions in which counts differ", () => {
  it.each([1, 2, 4, 9])("are one less than %i topics", (topics) => {
    expect(finishSteps(countDirections(drawTexts(600, topics), 5))).toBe(topics - 1);
  });

  it("do not depend on the order of samples, nor on empty ones and unused words", () => {
    const X = drawTexts(300, 3);
    expect(finishSteps(countDirections(X.take(new Random(4).permutation(300)), 5))).toBe(2);
    expect(
      finishSteps(
        countDirections(Sparse.from([[], ...Array.from({ length: 300 }, (_, i) => pairsOf(X, i)), []], 900), 5),
      ),
    ).toBe(2);
  });

  it("are not made by rare words that one text repeats", () => {
    const X = drawTexts(600, 2);
    const rows = Array.from({ length: 600 }, (_, i) => [...pairsOf(X, i), ...(i < 20 ? [[60 + i, 15]] : [])]);
    expect(finishSteps(countDirections(Sparse.from(rows as [number, number][][], 80), 5))).toBe(1);
  });

  it("of next to nothing are none", () => {
    expect(finishSteps(countDirections(Sparse.from([[], []], 3), 5))).toBe(0);
    expect(finishSteps(countDirections(Sparse.from([[[0, 2]], [[0, 1]]], 1), 5))).toBe(0);
  });

  it("are not told where they are too many", () => {
    const random = new Random(6);
    const rows = Array.from({ length: 450 }, (_, i): [number, number][] => {
      const first = 1 + random.below(19);
      return [[i % 45, first], [45 + (i % 45), 20 - first]]; // biome-ignore format: one line
    });
    expect(finishSteps(countDirections(Sparse.from(rows, 90), 5))).toBeNull();
  });
});

describe("points", () => {
  it("are the samples around 0 where features are few", () => {
    const points = finishSteps(embed(Dense.from([[1, 5], [3, 9]]), false, 5)); // biome-ignore format: a matrix
    expect([...points.data]).toEqual([-1, -2, 1, 2]);
  });

  it("keep the axes that rise above noise, and eight at least", () => {
    const clusters = Dense.from(
      drawClusters(50, 500, 0).map((row, i) => row.map((x, f) => x + (f === i % 13 ? 9 : 0))),
    );
    expect(finishSteps(embed(clusters, false, 5)).features).toBe(12);
    expect(finishSteps(embed(Dense.from(drawClusters(50, 500, 0)), false, 5)).features).toBe(8);
  });
});

function pairsOf(X: Sparse, i: number): [number, number][] {
  const pairs: [number, number][] = [];
  X.each(i, (f, x) => pairs.push([f, x]));
  return pairs;
}
