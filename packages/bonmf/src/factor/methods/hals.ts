import type { Method } from "../method.js";
import { CYCLING, cyclicW, gramOnce } from "../update.js";
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
  stepOf: (W, _sums, { k }) => ({ gram: gramOnce(W, k), ...CYCLING }),
  updateW: (W, { XHt, HHt }, { k }) => cyclicW(W, XHt, HHt, k),
  potential: nmf.potential,
};
