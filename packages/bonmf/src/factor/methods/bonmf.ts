import { rowLengths } from "../../matrix/prototypes.js";
import type { Method } from "../method.js";
import { meanW, multiplyW } from "../update.js";

/**
 * BONMF, Algorithm 1 of the paper. H step: one-hot, a(i) = argmax_j ⟨x_i,w_j⟩/‖w_j‖. W step: the paper's multiplicative
 * rule equals the mean of the members wherever W > 0; `update: "multiplicative"` applies it to the letter. What rises is
 * J = Σ_j ‖s_j‖ = Σ_i ‖x_i‖ cos θ_i, s_j being the sum of cluster j.
 */
export const bonmf: Method = {
  name: "bonmf",
  reference: "Fathi Hafshejani, Gaur, Hossain, Benkoczi: Binary Orthogonal Non-negative Matrix Factorization, 2022",
  form: "labels",
  fit: "cosine",
  rule: "cosine",
  encode: "cosine",
  sense: 1,
  defaults: { init: "columns", maxIterations: 300, tolerance: 0 },
  stepOf: () => ({}),
  updateW: (W, { XHt, HHt }, { update, k }) =>
    update === "mean" ? meanW(W, XHt, HHt) : multiplyW(W, XHt, HHt, k).map((w) => Math.max(0, w)),
  potential: ({ sums }, _survey, { k }) => rowLengths(sums.XHt, k).reduce((J, length) => J + length, 0),
};
