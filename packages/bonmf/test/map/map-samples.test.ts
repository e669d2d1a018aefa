import { describe, expect, it } from "vitest";
import {
  Dense,
  fit,
  type MapOptions,
  mapSamples,
  mapSteps,
  type Positions,
  Sparse,
  silhouette,
} from "../../src/index.js";
import { Random } from "../../src/random.js";

/** n × m numbers of [0, 1). */
function drawUniform(n: number, m: number, seed: number): Dense {
  const random = new Random(seed);
  return Dense.from(Array.from({ length: n }, () => Array.from({ length: m }, () => random.next())));
}

/** Sums of twelve uniform numbers. */
function drawNormal(n: number, m: number, seed: number): Dense {
  const random = new Random(seed);
  const draw = () => Array.from({ length: 12 }, () => random.next()).reduce((sum, u) => sum + u, -6);
  return Dense.from(Array.from({ length: n }, () => Array.from({ length: m }, draw)));
}

function correlate(a: Float32Array, b: Float32Array): number {
  const dot = (one: Float32Array, other: Float32Array) => one.reduce((sum, value, i) => sum + value * other[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Documents of random words, some words more frequent than others. */
function drawWords(n: number, m: number, length: number, seed: number): Sparse {
  const random = new Random(seed);
  const rows = Array.from({ length: n }, () => {
    const counts = new Map<number, number>();
    for (let i = 0; i < length; i++) {
      const word = Math.floor(m * random.next() * random.next());
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
  });
  return Sparse.from(rows, m);
}

/** Three groups around corners of a cube. */
function drawGroups(n: number): Dense {
  const noise = drawUniform(n, 6, 3);
  return Dense.from(Array.from({ length: n }, (_, i) => Array.from(noise.row(i), (v, f) => v + (f === i % 3 ? 8 : 0))));
}

function drain(X: Dense | Sparse, options?: MapOptions): Positions {
  const steps = mapSteps(X, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function toMatrix({ x, y }: Positions): Dense {
  return Dense.from(Array.from(x, (value, i) => [value, y[i]]));
}

/** The silhouette of a fit's clusters in the map less that among the samples. */
async function compare(X: Dense | Sparse, method: "bonmf" | "kmeans", k: number): Promise<number> {
  const metric = method === "kmeans" ? "euclidean" : "cosine";
  const { labels } = await fit(X, { k, method, seed: 1 });
  const shown = silhouette(toMatrix(drain(X, { metric })), labels, { metric: "euclidean" });
  return shown - silhouette(X, labels, { metric });
}

describe("a map of noise shows no more clusters than there are", () => {
  it.each([
    ["random words", drawWords(400, 1000, 60, 1), "bonmf", 8],
    ["2 uniform features", drawUniform(400, 2, 1), "kmeans", 6],
    ["3 normal features", drawNormal(400, 3, 4), "kmeans", 6],
    ["5 uniform features", drawUniform(500, 5, 2), "kmeans", 8],
    ["40 uniform features by angle", drawUniform(400, 40, 3), "bonmf", 6],
    ["60 normal features", drawNormal(400, 60, 5), "kmeans", 5],
  ] as const)("%s", async (_, X, method, k) => {
    expect(await compare(X, method, k)).toBeLessThan(0.001);
  });

  // The worst case: a ball unfolded into a disc. Single draws differ by up to 0.1, in both directions.
  it("4 normal features, on average", async () => {
    const rises = await Promise.all([1, 2, 3, 4].map((seed) => compare(drawNormal(300, 4, seed), "kmeans", 6)));
    expect(rises.reduce((sum, rise) => sum + rise / rises.length, 0)).toBeLessThan(0.01);
  });
});

describe("mapSamples", () => {
  it("keeps groups apart", () => {
    const places = drain(drawGroups(300), { metric: "euclidean" });
    const groups = Array.from(places.x, (_, i) => i % 3);
    expect(silhouette(toMatrix(places), groups, { metric: "euclidean" })).toBeGreaterThan(0.7);
  });

  it("depends on samples and seed alone, dense or sparse", async () => {
    const X = drawGroups(200);
    const first = await mapSamples(X, { seed: 3 });
    expect(drain(Sparse.fromDense(X), { seed: 3 })).toEqual(first);
    expect(drain(X, { seed: 4 })).not.toEqual(first);
  });

  it("compares by angle unless told otherwise", () => {
    const X = drawGroups(60);
    const longer = new Dense(
      60,
      6,
      X.data.map((v, p) => v * 2 ** (Math.floor(p / 6) % 4)),
    );
    expect(drain(longer)).toEqual(drain(X));
    expect(drain(longer, { metric: "euclidean" })).not.toEqual(drain(X, { metric: "euclidean" }));
  });

  it("of many samples begins roughly, and the components are turned to what was shown", () => {
    const [n, m] = [3200, 60];
    const X = drawUniform(n, m, 5);
    for (let i = 0; i < n; i++) {
      X.data[i * m] += 3 * (i % 5);
      X.data[i * m + 1] += 2 * (i % 3);
    }
    const starts: Positions[] = [];
    for (const { done, positions } of mapSteps(X, { metric: "euclidean" })) {
      if (done > 0) break;
      const { x, y } = positions();
      if (starts.at(-1)?.x[0] !== x[0]) starts.push({ x, y });
    }
    expect(starts.length).toBe(2);
    expect(correlate(starts[0].x, starts[1].x)).toBeGreaterThan(0.95);
    expect(correlate(starts[0].y, starts[1].y)).toBeGreaterThan(0.95);
    const sparse = mapSteps(Sparse.fromDense(X), { metric: "euclidean" }).next();
    expect(sparse.done ? null : sparse.value.positions()).toEqual(starts[0]);
  });

  it("begins with the two principal components, and goes on to 1", async () => {
    const X = drawUniform(50, 4, 1);
    const shares: number[] = [];
    const shown: Positions[] = [];
    const last = await mapSamples(X, {
      metric: "euclidean",
      onStep: ({ done, positions }) => {
        shares.push(done);
        if (shown.length < 1) shown.push(positions());
      },
    });
    expect(shares[0]).toBe(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(0.9);
    const spread = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);
    expect(spread(shown[0].x)).toBeGreaterThan(spread(shown[0].y));
    expect(last.x).not.toEqual(shown[0].x);
  });

  it("puts equal samples in one place", () => {
    const groups = drawGroups(90);
    const X = groups.take(Array.from({ length: 180 }, (_, i) => i % 90));
    const { x, y } = drain(X);
    expect(x.slice(90)).toEqual(x.slice(0, 90));
    expect(y.slice(90)).toEqual(y.slice(0, 90));
    expect(x.slice(0, 90)).toEqual(drain(groups).x);
  });

  it("places few, equal or zero samples", () => {
    for (const rows of [
      [[1, 2, 3]],
      [
        [1, 2, 3],
        [3, 2, 1],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
      [[5], [6], [7]],
    ]) {
      const { x, y } = drain(Dense.from(rows));
      expect(x).toHaveLength(rows.length);
      expect([...x, ...y].every(Number.isFinite)).toBe(true);
    }
  });

  it("ends where the signal says so", async () => {
    const stop = new AbortController();
    const promise = mapSamples(drawUniform(300, 5, 1), { signal: stop.signal, onStep: () => stop.abort("enough") });
    await expect(promise).rejects.toBe("enough");
  });

  it("refuses bad options and values", async () => {
    const X = drawUniform(5, 3, 1);
    await expect(mapSamples(X, { metric: "manhattan" as never })).rejects.toThrow(/metric "manhattan" is not known/);
    await expect(mapSamples(X, { neighbors: 1 })).rejects.toThrow(/neighbors must be a whole number, 2 or more/);
    await expect(mapSamples(X, { seed: -1 })).rejects.toThrow(/seed/);
    await expect(mapSamples(X, { sead: 1 } as never)).rejects.toThrow(/did you mean "seed"/);
    await expect(mapSamples([[1, Number.NaN]])).rejects.toThrow(/finite/);
  });
});
