import type { Method } from "../method.js";
import { cyclicW } from "../update.js";
import { nmf } from "./nmf.js";

/** Hierarchical alternating least squares: each row of H and each column of W in turn its closed-form optimum. */
export const hals: Method = {
  name: "hals",
  reference:
    "Cichocki, Zdunek, Amari: Hierarchical ALS algorithms for nonnegative matrix factorization, 2007; Ho, 2008",
  form: nmf.form,
  fit: nmf.fit,
  revives: true,
  rule: "cyclic",
  encode: nmf.encode,
  sense: nmf.sense,
  defaults: nmf.defaults,
  stepOf: nmf.stepOf,
  updateW: (W, { XHt, HHt }, { k }) => cyclicW(W, XHt, HHt, k),
  potential: nmf.potential,
};
