import type { Method } from "../method.js";
import { gramOnce, lossOf, multiplyW } from "../update.js";

/** Lee and Seung's multiplicative updates, equations 3 and 4 of the paper. */
export const nmf: Method = {
  name: "nmf",
  reference: "Lee, Seung: Algorithms for non-negative matrix factorization, 2001",
  form: "real",
  fit: "ray",
  multiplicative: true,
  rule: "multiply",
  encode: "nnls",
  sense: -1,
  defaults: { init: "nndsvd", maxIterations: 500, tolerance: 1e-5 },
  stepOf: (W, _sums, { k }) => ({ gram: gramOnce(W, k) }),
  updateW: (W, { XHt, HHt }, { k }) => multiplyW(W, XHt, HHt, k),
  potential: ({ W, sums }, { normSq }, { k }) => lossOf(W, sums.XHt, sums.HHt, k, normSq),
};
