import type { Method } from "../method.js";
import { nmf } from "./nmf.js";

/**
 * Orthogonal NMF as the paper cites it: H ∘ √(WᵀX ⊘ WᵀXHᵀH) with the rows of H at length 1. The lengths D of the rows
 * are kept in the k × k matrix instead of being divided out of H: with H = D⁻¹H̃ and W = W̃D the update of H̃ is the
 * same with W̃ᵀXH̃ᵀD⁻² in the middle, the product WH stays as it is, and no sweep over H is spent on scaling.
 */
export const ding: Method = {
  ...nmf,
  name: "onmf-ding",
  reference: "Ding, Li, Peng, Park: Orthogonal nonnegative matrix tri-factorizations for clustering, 2006",
  rule: "root",
  stepOf(W, sums, settings) {
    if (sums === null) return nmf.stepOf(W, sums, settings);
    const { k } = settings;
    const m = W.length / k;
    const gram = new Float64Array(k * k);
    for (let r = 0; r < k; r++) {
      for (let s = 0; s < k; s++) {
        let WtXHt = 0;
        for (let f = 0; f < m; f++) WtXHt += W[r * m + f] * sums.XHt[s * m + f];
        const lengthSq = sums.HHt[s * k + s];
        gram[r * k + s] = lengthSq > 0 ? WtXHt / lengthSq : 0;
      }
    }
    return { gram };
  },
};
