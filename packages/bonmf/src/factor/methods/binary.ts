import type { Method } from "../method.js";
import { gramOnce } from "../update.js";
import { nmf } from "./nmf.js";

/**
 * Semi-binary NMF: the rows of H in turn, h_r = 1 where (WᵀX)_r − Σ_{s≠r} G_rs h_s > ½G_rr with G = WᵀW, else 0; then
 * Lee and Seung's W step. H may have several ones in a column, or none.
 */
export const binary: Method = {
  ...nmf,
  name: "semi-binary",
  reference: "Zhang, Li, Ding, Zhang: Binary matrix factorization with applications, 2007; Zhang et al., 2021",
  rule: "binary",
  encode: "binary",
  defaults: { init: "columns", maxIterations: 100, tolerance: 1e-5 },
  stepOf: (W, _sums, { k, sweeps }) => ({ gram: gramOnce(W, k), sweeps }),
};
