import type { Survey } from "../engine/survey.js";
import type { Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import type { Settings } from "./settings.js";

/**
 * Penalties on W and H, as scikit-learn scales them, so that a weight means the same for any number of samples and features:
 * n (l1W ΣW + ½ l2W ΣW²) + m (l1H ΣH + ½ l2H ΣH²), beside ½‖X − WH‖² or D(X‖WH); n is the weight of all samples. The reported
 * objective of the squared error is twice that sum.
 */

export type Penalties = Pick<Settings, "l1W" | "l2W" | "l1H" | "l2H">;

/** Weights of Σ and ½Σ² of one factor. */
export interface Weights {
  readonly l1: number;
  readonly l2: number;
}

export function isPenalized({ l1W, l2W, l1H, l2H }: Penalties): boolean {
  return l1W > 0 || l2W > 0 || l1H > 0 || l2H > 0;
}

/** For the code of one sample. @param m how many features there are */
export function weightsOfH({ l1H, l2H }: Penalties, m: number): Weights {
  return { l1: m * l1H, l2: m * l2H };
}

export function weightsOfW({ l1W, l2W }: Penalties, { weight }: Survey): Weights {
  return { l1: weight * l1W, l2: weight * l2W };
}

/** What the H step of the squared error needs besides W. @param gram WᵀW */
export function penalizeGram(gram: Float64Array, k: number, { l1, l2 }: Weights): Pick<Step, "gram" | "l1"> {
  return { gram: raiseDiagonal(gram, k, l2), ...(l1 > 0 && { l1 }) };
}

/** G + λI; the same array where λ is 0. */
export function raiseDiagonal(G: Float64Array, k: number, by: number): Float64Array {
  return by === 0 ? G : G.map((g, p) => (p % (k + 1) === 0 ? g + by : g));
}

/** The penalties of W and of the H that the totals are of. */
export function penaltyOf(W: Float64Array, { HHt, codes }: Sums, settings: Settings, survey: Survey): number {
  const { k } = settings;
  const ofW = weightsOfW(settings, survey);
  const ofH = weightsOfH(settings, W.length / k);
  let sum = 0;
  if (ofW.l1 > 0 || ofW.l2 > 0) for (const w of W) sum += w * (ofW.l1 + 0.5 * ofW.l2 * w);
  for (let r = 0; r < k; r++) {
    if (ofH.l1 > 0) sum += ofH.l1 * codes[r];
    if (ofH.l2 > 0) sum += 0.5 * ofH.l2 * HHt[r * (k + 1)];
  }
  return sum;
}
