/** Small symmetric matrices, k × k row-major, from + − × ÷ √ alone so that every platform gets the same bits. */

/** Eigenvalues, largest first, and the eigenvectors as rows, by cyclic Jacobi rotations. */
export function eigen(A: Float64Array, k: number): { values: Float64Array; vectors: Float64Array } {
  const a = A.slice();
  const V = new Float64Array(k * k);
  for (let i = 0; i < k; i++) V[i * k + i] = 1;
  let size = 0;
  for (const x of a) size += x * x;
  for (let round = 0; round < 60; round++) {
    let off = 0;
    for (let p = 0; p < k; p++) for (let q = p + 1; q < k; q++) off += a[p * k + q] * a[p * k + q];
    if (off <= 1e-30 * size) break;
    for (let p = 0; p < k; p++) for (let q = p + 1; q < k; q++) rotate(a, V, k, p, q);
  }
  const order = Array.from({ length: k }, (_, i) => i).sort((i, j) => a[j * k + j] - a[i * k + i] || i - j);
  const values = Float64Array.from(order, (i) => a[i * k + i]);
  const vectors = new Float64Array(k * k);
  order.forEach((i, row) => {
    for (let t = 0; t < k; t++) vectors[row * k + t] = V[t * k + i];
  });
  return { values, vectors };
}

function rotate(a: Float64Array, V: Float64Array, k: number, p: number, q: number): void {
  const apq = a[p * k + q];
  if (apq === 0) return;
  const theta = (a[q * k + q] - a[p * k + p]) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let i = 0; i < k; i++) {
    const aip = a[i * k + p];
    const aiq = a[i * k + q];
    a[i * k + p] = c * aip - s * aiq;
    a[i * k + q] = s * aip + c * aiq;
  }
  for (let i = 0; i < k; i++) {
    const api = a[p * k + i];
    const aqi = a[q * k + i];
    a[p * k + i] = c * api - s * aqi;
    a[q * k + i] = s * api + c * aqi;
    const vip = V[i * k + p];
    const viq = V[i * k + q];
    V[i * k + p] = c * vip - s * viq;
    V[i * k + q] = s * vip + c * viq;
  }
}

/** The Moore–Penrose inverse; eigenvalues below k · 1e-12 of the largest count as zero. */
export function pseudoInverse(A: Float64Array, k: number): Float64Array {
  const { values, vectors } = eigen(A, k);
  const out = new Float64Array(k * k);
  const least = k * 1e-12 * Math.max(values[0], 0);
  for (let e = 0; e < k; e++) {
    if (values[e] <= least) continue;
    for (let i = 0; i < k; i++) {
      const share = vectors[e * k + i] / values[e];
      for (let j = 0; j < k; j++) out[i * k + j] += share * vectors[e * k + j];
    }
  }
  return out;
}
