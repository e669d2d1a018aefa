import type { Floats } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";

/** ‖x_i‖² of all samples, to the bits of `Rows.normSq`: in four interleaved parts by feature number modulo 4. */
export function squaredNorms(X: Matrix): Float64Array {
  if (X.kind === "dense") return denseSquares(X.data, X.samples, X.features);
  const { offsets, indices, values } = X;
  const out = new Float64Array(X.samples);
  const parts = new Float64Array(4);
  for (let i = 0; i < out.length; i++) {
    parts[0] = parts[1] = parts[2] = parts[3] = 0;
    for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) parts[indices[p] & 3] += values[p] * values[p];
    out[i] = parts[0] + parts[1] + (parts[2] + parts[3]);
  }
  return out;
}

function denseSquares(data: Floats, n: number, m: number): Float64Array {
  const out = new Float64Array(n);
  for (let i = 0, p = 0; i < n; i++) {
    const end = p + m;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (; p + 4 <= end; p += 4) {
      a += data[p] * data[p];
      b += data[p + 1] * data[p + 1];
      c += data[p + 2] * data[p + 2];
      d += data[p + 3] * data[p + 3];
    }
    if (p < end) a += data[p] * data[p];
    if (p + 1 < end) b += data[p + 1] * data[p + 1];
    if (p + 2 < end) c += data[p + 2] * data[p + 2];
    p = end;
    out[i] = a + b + (c + d);
  }
  return out;
}
