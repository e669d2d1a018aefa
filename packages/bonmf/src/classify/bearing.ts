import { METHODS } from "../factor/methods/index.js";
import { packPrototypes } from "../kernel/pack.js";
import { rowsOf } from "../kernel/rows.js";
import { argMax } from "../kernel/rules.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import type { Model } from "../model/model.js";

/** Where a sample stands among the prototypes. */
export interface Bearing {
  /** m, the sample as a dense row; the next bearing overwrites it. */
  readonly x: Float64Array;
  /** Its cluster by the method's own measure, ties to the lowest; as `predict` finds it, save for closed clusters. */
  readonly home: number;
  /** k, cosines of the angles to the prototypes. */
  readonly cosines: Float64Array;
}

/** What decides a sample's cluster. */
export function homeRule({ method }: Model): "cosine" | "distance" {
  return METHODS[method].fit === "distance" ? "distance" : "cosine";
}

/** Takes the bearings of samples Q (n × m), row after row; `isOpen` says which clusters may be home. */
export function* takeBearings(Q: Matrix, model: Model, isOpen = (_j: number) => true): Generator<Bearing> {
  const { k } = model;
  const W = model.W.data as Float64Array;
  const lengths = rowLengths(W, k);
  const pack = packPrototypes(homeRule(model), W, k, Q.precision);
  const rows = rowsOf(Q);
  const x = new Float64Array(Q.features);
  const WtX = new Float64Array(k);
  const scores = new Float64Array(k);
  for (let i = 0; i < Q.samples; i++) {
    x.fill(0);
    Q.each(i, (f, value) => {
      x[f] = value;
    });
    rows.scores(i, pack, scores);
    const home = argMax(scores.map((score, j) => (isOpen(j) ? score : Number.NEGATIVE_INFINITY)));
    rows.dots(i, W, k, WtX);
    const length = Math.sqrt(rows.normSq(i));
    const cosines = WtX.map((dot, j) => (length > 0 && lengths[j] > 0 ? dot / (length * lengths[j]) : 0));
    yield { x, home, cosines };
  }
}
