import type { Method } from "../method.js";
import { gramOnce, relaxedW } from "../update.js";
import { nmf } from "./nmf.js";

/** Times through the rows of H while a sample's products are at hand. */
const H_SWEEPS = 5;

/**
 * Hierarchical alternating least squares: each row of H and each column of W in turn its closed-form optimum, several times, and
 * W a step beyond.
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
  stepOf: (W, _sums, { k }) => ({ gram: gramOnce(W, k), sweeps: H_SWEEPS }),
  updateW: (W, { XHt, HHt }, { k }) => relaxedW(W, XHt, HHt, k),
  potential: nmf.potential,
};
