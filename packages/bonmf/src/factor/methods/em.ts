import type { Method } from "../method.js";
import { lossOf, unitW } from "../update.js";

/**
 * EM-ONMF. H step: one-hot by angle with the coefficient ⟨x,w⟩. W step: the leading singular vector of each cluster's
 * members, by one power step a sweep, w ← Σ x⟨x,w⟩ / ‖·‖, which already lowers the loss; at the fixed point w *is* that
 * vector. So a sweep costs what it costs elsewhere in the family.
 */
export const em: Method = {
  name: "em-onmf",
  reference: "Pompili, Gillis, Absil, Glineur: Two algorithms for orthogonal nonnegative matrix factorization, 2014",
  form: "rays",
  fit: "ray",
  rule: "ray",
  encode: "ray",
  sense: -1,
  defaults: { init: "plusplus", maxIterations: 500, tolerance: 1e-10 },
  stepOf: () => ({}),
  updateW: (W, { XHt }, { k }) => unitW(W, XHt, k),
  potential: ({ W, sums }, { normSq }, { k }) => lossOf(W, sums.XHt, sums.HHt, k, normSq),
};
