import type { Method } from "../method.js";
import { penalizeGram, penaltyOf, weightsOfH, weightsOfW } from "../penalty.js";
import { gramOnce, lossOf, multiplyW } from "../update.js";

/** Lee and Seung's multiplicative updates, equations 3 and 4 of the paper. */
export const nmf: Method = {
  name: "nmf",
  reference: "Lee, Seung: Algorithms for non-negative matrix factorization, 2001",
  form: "real",
  fit: "ray",
  multiplicative: true,
  bounded: true,
  rule: "multiply",
  encode: "nnls",
  sense: -1,
  defaults: { init: "nndsvd", maxIterations: 500, tolerance: 1e-5 },
  stepOf: (W, _sums, settings) =>
    penalizeGram(gramOnce(W, settings.k), settings.k, weightsOfH(settings, W.length / settings.k)),
  updateW: (W, { XHt, HHt }, settings, survey) => multiplyW(W, XHt, HHt, settings.k, weightsOfW(settings, survey)),
  potential: ({ W, sums }, survey, settings) =>
    lossOf(W, sums.XHt, sums.HHt, settings.k, survey.normSq) + 2 * penaltyOf(W, sums, settings, survey),
};
