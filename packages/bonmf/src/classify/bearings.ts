import { encodeSamples, multiplySamples } from "../kernel/encode.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { homeRule, type Prototypes } from "../model/bearing.js";

/** Where some samples stand among the prototypes. */
export interface Bearings {
  /** n × m. */
  readonly Q: Matrix;
  /** Their clusters by the method's own measure, ties to the lowest. */
  readonly homes: Labels;
  /** n × k, cosines of the angles to the prototypes. */
  readonly cosines: Float64Array;
}

/** Samples whose bearings are taken at a time. */
const TOGETHER = 1024;

/** What finds where samples stand. */
export interface Compass {
  /** Their homes alone. */
  findHomes(Q: Matrix): Labels;
  /** Some samples at a time. */
  takeBearings(Q: Matrix): Iterable<Bearings>;
}

/** `isOpen` says which clusters may be home. */
export function makeCompass(model: Prototypes, isOpen: (j: number) => boolean): Compass {
  const { k } = model;
  const W = model.W.data as Float64Array;
  const lengths = rowLengths(W, k);
  const open = Uint32Array.from({ length: k }, (_, j) => j).filter(isOpen);
  const openW = model.W.take(open).data as Float64Array;
  const findHomes = (Q: Matrix) => {
    const homes = encodeSamples(Q, homeRule(model), openW, open.length).labels!;
    if (open.length < k) for (let i = 0; i < homes.length; i++) homes[i] = open[homes[i]];
    return homes;
  };
  return {
    findHomes,
    *takeBearings(all) {
      for (let first = 0; first < all.samples; first += TOGETHER) {
        const Q = all.slice(first, Math.min(first + TOGETHER, all.samples));
        const homes = findHomes(Q);
        const cosines = multiplySamples(Q, W, k);
        const squares = squaredNorms(Q);
        for (let i = 0, p = 0; i < Q.samples; i++) {
          const length = Math.sqrt(squares[i]);
          for (let j = 0; j < k; j++, p++) {
            cosines[p] = length > 0 && lengths[j] > 0 ? cosines[p] / (length * lengths[j]) : 0;
          }
        }
        yield { Q, homes, cosines };
      }
    },
  };
}
