import { rowLengths } from "../../matrix/prototypes.js";
import type { Method } from "../method.js";
import { meanW } from "../update.js";

/** Lloyd's k-means: argmin_j ‖x − w_j‖, then the mean of the members. What falls is ‖X − WH‖² = ‖X‖² − Σ_j ‖s_j‖²/c_j. */
export const kmeans: Method = {
  name: "kmeans",
  reference: "Lloyd: Least squares quantization in PCM, 1982",
  form: "labels",
  fit: "distance",
  rule: "distance",
  encode: "distance",
  sense: -1,
  defaults: { init: "plusplus", maxIterations: 300, tolerance: 0 },
  stepOf: () => ({}),
  updateW: (W, { XHt, HHt }) => meanW(W, XHt, HHt),
  potential({ sums: { XHt, HHt } }, { normSq }, { k }) {
    let explained = 0;
    rowLengths(XHt, k).forEach((length, j) => {
      if (HHt[j] > 0) explained += (length * length) / HHt[j];
    });
    return Math.max(0, normSq - explained);
  },
};
