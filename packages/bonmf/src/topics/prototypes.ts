import { Dense } from "../matrix/dense.js";
import { normaliseRows } from "../matrix/prototypes.js";
import type { TopicsState } from "./state.js";

/** The prototype of each topic, in the model's units: the mean of its clusters, by their size. k × the model's features. */
export function topicPrototypes({ model, topicOf, ids }: Pick<TopicsState, "model" | "topicOf" | "ids">): Dense {
  const { W, counts } = model;
  const m = W.features;
  const k = ids.length;
  const P = Dense.zeros(k, m, "f64");
  const sizes = new Float64Array(k);
  for (let r = 0; r < W.samples; r++) {
    const base = topicOf[r] * m;
    // A cluster that nobody is in still has a direction.
    const size = Math.max(counts[r], 1e-3);
    sizes[topicOf[r]] += size;
    for (let f = 0; f < m; f++) P.data[base + f] += size * W.data[r * m + f];
  }
  for (let q = 0; q < P.data.length; q++) P.data[q] /= sizes[Math.floor(q / m)];
  return P;
}

/** The cosines of the rows of A and of B, as many rows as A has. */
export function cosinesBetween(A: Dense, B: Dense): Float64Array[] {
  const m = A.features;
  const [a, b] = [A, B].map(({ data, samples }) => normaliseRows(Float64Array.from(data), samples));
  return Array.from({ length: A.samples }, (_, i) =>
    Float64Array.from({ length: B.samples }, (_, j) => {
      let dot = 0;
      for (let f = 0; f < m; f++) dot += a[i * m + f] * b[j * m + f];
      return Math.min(1, dot);
    }),
  );
}
