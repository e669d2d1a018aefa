import type { Method } from "../method.js";
import { weightsOfW } from "../penalty.js";
import { CYCLING, cyclicW } from "../update.js";
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
  revives: true,
  rule: "cyclic",
  encode: nmf.encode,
  sense: nmf.sense,
  defaults: nmf.defaults,
  stepOf: (W, sums, settings) => ({ ...nmf.stepOf(W, sums, settings), ...CYCLING }),
  updateW: (W, { XHt, HHt }, settings, survey) => cyclicW(W, XHt, HHt, settings.k, weightsOfW(settings, survey)),
  potential: nmf.potential,
};
