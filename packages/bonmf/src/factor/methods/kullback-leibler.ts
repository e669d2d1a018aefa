import { massesOf } from "../../kernel/plain/divide.js";
import type { Method } from "../method.js";
import { penaltyOf, weightsOfH, weightsOfW } from "../penalty.js";
import { divideW, lossOfProducts } from "../update.js";
import { nmf } from "./nmf.js";

/**
 * Lee and Seung's updates for the Kullback–Leibler divergence D(X‖WH) = Σ x ln(x/(WH)) − x + WH: the method `nmf` with that loss.
 * Totals of a sweep are those of X ⊘ WH in place of X.
 */
export const kullbackLeibler: Method = {
  ...nmf,
  rule: "divide",
  encode: "divide",
  hold: { rule: "divide", sweeps: 0 },
  stepOf: (W, _sums, settings) => ({ ...weightsOfH(settings, W.length / settings.k), sweeps: 1 }),
  updateW: (W, { XHt, codes }, settings, survey) => divideW(W, XHt, codes, weightsOfW(settings, survey)),
  potential({ W, sums }, survey, settings) {
    const mass = massesOf(W, settings.k).reduce((sum, own, r) => sum + own * sums.codes[r], 0);
    return Math.max(0, sums.loss - survey.total + mass) + penaltyOf(W, sums, settings, survey);
  },
  squaredError: ({ W, sums }, { normSq }, { k }) => lossOfProducts(W, sums.cross, sums.HHt, k, normSq),
};
