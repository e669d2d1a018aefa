/** Prototypes and other small float64 arrays of k rows of m numbers, row j contiguous. */

/** The lengths of the k rows. */
export function rowLengths(S: Float64Array, k: number): Float64Array {
  const m = S.length / k;
  return Float64Array.from({ length: k }, (_, j) => {
    let sum = 0;
    for (let q = j * m; q < (j + 1) * m; q++) sum += S[q] * S[q];
    return Math.sqrt(sum);
  });
}

/** Scales every row to length 1, in place; zero rows stay. */
export function normaliseRows(S: Float64Array, k: number): Float64Array {
  const m = S.length / k;
  rowLengths(S, k).forEach((length, j) => {
    if (length > 0) for (let q = j * m; q < (j + 1) * m; q++) S[q] /= length;
  });
  return S;
}

/** G = WᵀW, k × k. */
export function gramOf(W: Float64Array, k: number): Float64Array {
  const m = W.length / k;
  const G = new Float64Array(k * k);
  for (let r = 0; r < k; r++) {
    for (let s = 0; s <= r; s++) {
      let sum = 0;
      for (let f = 0; f < m; f++) sum += W[r * m + f] * W[s * m + f];
      G[r * k + s] = G[s * k + r] = sum;
    }
  }
  return G;
}
