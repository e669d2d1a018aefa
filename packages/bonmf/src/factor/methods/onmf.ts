import type { Method } from "../method.js";
import { gramOnce, lossOf } from "../update.js";
import { nmf } from "./nmf.js";

/**
 * iONMF, the library the paper ran: H ∘ (WᵀX + αH) ⊘ (WᵀWH + 2αHHᵀH) after Lee and Seung's W step, which descends
 * ½‖X − WH‖² + (α/2)‖HHᵀ − ½I‖². Exactly 100 iterations from uniform random factors unless told otherwise.
 */
export const onmf: Method = {
  ...nmf,
  bounded: false,
  name: "onmf",
  reference: "Stražar, Žitnik, Zupan, Ule, Curk: Orthogonal matrix factorization enables integrative analysis, 2016",
  defaults: { init: "random", maxIterations: 100, tolerance: 0 },
  stepOf(W, sums, { k, alpha }) {
    const gram = gramOnce(W, k).slice();
    if (sums !== null) for (let p = 0; p < gram.length; p++) gram[p] += 2 * alpha * sums.HHt[p];
    return { gram, alpha };
  },
  potential({ W, sums }, { normSq }, { k, alpha }) {
    let defect = 0;
    for (let r = 0; r < k; r++) {
      for (let s = 0; s < k; s++) defect += (sums.HHt[r * k + s] - (r === s ? 0.5 : 0)) ** 2;
    }
    return 0.5 * lossOf(W, sums.XHt, sums.HHt, k, normSq) + 0.5 * alpha * defect;
  },
};
