import type { Method } from "../method.js";
import { weightsOfW } from "../penalty.js";
import { cyclicW, cyclingFor, cyclingForW } from "../update.js";
import { nmf } from "./nmf.js";

/**
 * Hierarchical alternating least squares: each row of H and each column of W in turn its closed-form optimum, several times, while
 * the products of a sample are at hand, and a step beyond.
 */
export const hals: Method = {
  name: "hals",
  reference:
    "Cichocki, Zdunek, Amari: Hierarchical ALS algorithms for nonnegative matrix factorization, 2007; Ho, 2008; " +
    "Gillis, Glineur: Accelerated multiplicative updates and hierarchical ALS, 2012",
  form: nmf.form,
  fit: nmf.fit,
  bounded: true,
  revives: true,
  rule: "cyclic",
  encode: nmf.encode,
  sense: nmf.sense,
  defaults: nmf.defaults,
  stepOf: (W, sums, settings, survey) => ({
    ...nmf.stepOf(W, sums, settings, survey),
    ...cyclingFor(survey.filled, settings.k),
  }),
  updateW: (W, { XHt, HHt }, settings, survey, in32Bits) => {
    const { k } = settings;
    return cyclicW(W, XHt, HHt, k, cyclingForW(W, k, survey), weightsOfW(settings, survey), in32Bits);
  },
  potential: nmf.potential,
};
