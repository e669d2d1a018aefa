import { correlate } from "../../kernel/simd/prototype-products.js";
import type { Method } from "../method.js";
import { nmf } from "./nmf.js";

/**
 * Orthogonal NMF as the paper cites it: H ∘ √(WᵀX ⊘ WᵀXHᵀH) with the rows of H at length 1. The lengths D of the rows
 * are kept in the k × k matrix instead of being divided out of H: with H = D⁻¹H̃ and W = W̃D the update of H̃ is the
 * same with W̃ᵀXH̃ᵀD⁻² in the middle, the product WH stays as it is, and no sweep over H is spent on scaling.
 */
export const ding: Method = {
  ...nmf,
  bounded: false,
  name: "onmf-ding",
  reference: "Ding, Li, Peng, Park: Orthogonal nonnegative matrix tri-factorizations for clustering, 2006",
  rule: "root",
  stepOf(W, sums, settings, survey) {
    if (sums === null) return nmf.stepOf(W, sums, settings, survey);
    const { k } = settings;
    const gram = correlate(W, sums.XHt, k);
    for (let p = 0; p < gram.length; p++) {
      const lengthSq = sums.HHt[(p % k) * (k + 1)];
      gram[p] = lengthSq > 0 ? gram[p] / lengthSq : 0;
    }
    return { gram };
  },
};
