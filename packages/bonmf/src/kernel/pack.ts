import { allocate, type Floats, type Precision } from "../matrix/dense.js";
import { rowLengths } from "../matrix/prototypes.js";
import type { RuleName } from "./step.js";

/**
 * Prototypes made ready for a one-hot rule, in the precision of the samples: every such rule is the label of the largest
 * bias_j + ⟨x, p_j⟩, ties to the lowest j. By angle p_j = w_j/‖w_j‖ and the bias is 0; by distance p_j = w_j and the bias
 * is −½‖p_j‖², since ‖x − w‖² = ‖x‖² − 2(⟨x,w⟩ − ½‖w‖²).
 */
export interface Pack {
  /** k × m. */
  readonly rows: Floats;
  /** k. */
  readonly bias: Floats;
}

/** @param W IN k × m */
export function packPrototypes(rule: RuleName, W: Float64Array, k: number, precision: Precision): Pack {
  const rows = allocate(precision, W.length);
  const bias = allocate(precision, k);
  const m = W.length / k;
  if (rule === "distance") {
    rows.set(W);
    for (let j = 0; j < k; j++) {
      let sum = 0;
      for (let q = j * m; q < (j + 1) * m; q++) sum += rows[q] * rows[q];
      bias[j] = -0.5 * sum;
    }
    return { rows, bias };
  }
  const lengths = rowLengths(W, k);
  for (let j = 0; j < k; j++) {
    if (lengths[j] > 0) for (let q = j * m; q < (j + 1) * m; q++) rows[q] = W[q] / lengths[j];
  }
  return { rows, bias };
}
