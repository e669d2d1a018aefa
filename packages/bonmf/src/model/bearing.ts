import { METHODS } from "../factor/methods/index.js";
import type { MethodName } from "../factor/settings.js";
import { encodeSamples, multiplySamples } from "../kernel/encode.js";
import { readRow, rowsOf } from "../kernel/rows.js";
import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";

/** What of a model decides where samples stand. */
export interface Prototypes {
  /** k × m. */
  readonly W: Dense;
  readonly k: number;
  readonly method: MethodName;
}

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
export function homeRule({ method }: Prototypes): "cosine" | "distance" {
  return METHODS[method].fit === "distance" ? "distance" : "cosine";
}

/** Samples whose products are computed at a time. */
const TOGETHER = 1024;

/** Takes the bearings of samples Q (n × m), row after row; `isOpen` says which clusters may be home. */
export function* takeBearings(Q: Matrix, model: Prototypes, isOpen = (_j: number) => true): Generator<Bearing> {
  const { k } = model;
  const W = model.W.data as Float64Array;
  const lengths = rowLengths(W, k);
  const open = Uint32Array.from({ length: k }, (_, j) => j).filter(isOpen);
  const openW = model.W.take(open).data as Float64Array;
  const rows = rowsOf(Q);
  const x = new Float64Array(Q.features);
  for (let first = 0; first < Q.samples; first += TOGETHER) {
    const part = Q.slice(first, Math.min(first + TOGETHER, Q.samples));
    const homes = encodeSamples(part, homeRule(model), openW, open.length).labels!;
    const WtX = multiplySamples(part, W, k);
    for (let i = 0; i < part.samples; i++) {
      readRow(part, i, x);
      const length = Math.sqrt(rows.normSq(first + i));
      const cosines = WtX.slice(i * k, (i + 1) * k);
      for (let j = 0; j < k; j++) cosines[j] = length > 0 && lengths[j] > 0 ? cosines[j] / (length * lengths[j]) : 0;
      yield { x, home: open[homes[i]], cosines };
    }
  }
}

/** How close a sample is to a prototype. */
export interface Fit {
  /** Cosine of the angle to the cluster's prototype. */
  readonly cosine: number;
  /** How much larger that is than the largest other cosine; where there is no other, the cosine. */
  readonly margin: number;
}

export function measureFit(cosines: Float64Array, cluster: number): Fit {
  const cosine = cosines[cluster];
  let most = Number.NEGATIVE_INFINITY;
  for (let j = 0; j < cosines.length; j++) if (j !== cluster && cosines[j] > most) most = cosines[j];
  return { cosine, margin: cosines.length > 1 ? cosine - most : cosine };
}
