/** Prototypes and other small float64 arrays of k rows of m numbers, row j contiguous. */

/** ⟨a_j, b_j⟩ for each of the k rows of A and B. */
export function rowProducts(A: Float64Array, B: Float64Array, k: number): Float64Array {
  const sums = new Float64Array(k);
  // Optimised code for whole numbers would be thrown away.
  if (k === 0) return sums;
  const m = A.length / k;
  let j = 0;
  // Four rows at a time: each sum is in feature order, and none waits for another.
  for (; j + 4 <= k; j += 4) {
    const [b, c, d] = [(j + 1) * m, (j + 2) * m, (j + 3) * m];
    let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
    for (let f = 0, a = j * m; f < m; f++) {
      sum0 += A[a + f] * B[a + f];
      sum1 += A[b + f] * B[b + f];
      sum2 += A[c + f] * B[c + f];
      sum3 += A[d + f] * B[d + f];
    }
    sums[j] = sum0;
    sums[j + 1] = sum1;
    sums[j + 2] = sum2;
    sums[j + 3] = sum3;
  }
  for (; j < k; j++) {
    let sum = 0;
    for (let q = j * m, end = q + m; q < end; q++) sum += A[q] * B[q];
    sums[j] = sum;
  }
  return sums;
}

/** The lengths of the k rows. */
export function rowLengths(S: Float64Array, k: number): Float64Array {
  const lengths = rowProducts(S, S, k);
  for (let j = 0; j < k; j++) lengths[j] = Math.sqrt(lengths[j]);
  return lengths;
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
  return multiplyRows(W, W, k);
}

/** ⟨a_r, b_s⟩ for the rows of A and B, k × k. */
export function multiplyRows(A: Float64Array, B: Float64Array, k: number): Float64Array {
  const m = A.length / k;
  const G = new Float64Array(k * k);
  for (let r = 0; r < k; r++) {
    const last = A === B ? r : k - 1;
    // Four sums at a time: each is in feature order, and none waits for another.
    for (let s = 0; s <= last; s += 4) {
      const [b, c, d] = [s + 1, s + 2, s + 3].map((row) => Math.min(row, last) * m);
      let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
      for (let f = 0, p = r * m, a = s * m; f < m; f++) {
        const w = A[p + f];
        sum0 += w * B[a + f];
        sum1 += w * B[b + f];
        sum2 += w * B[c + f];
        sum3 += w * B[d + f];
      }
      const sums = [sum0, sum1, sum2, sum3];
      for (let t = 0; t < 4 && s + t <= last; t++) G[r * k + s + t] = sums[t];
    }
  }
  if (A === B) mirror(G, k);
  return G;
}

/** Gives a k × k matrix the upper half that its lower half implies. */
export function mirror(G: Float64Array, k: number): void {
  for (let r = 0; r < k; r++) for (let s = 0; s < r; s++) G[s * k + r] = G[r * k + s];
}

/** Gram–Schmidt, twice, in place; rows that depend on earlier ones become zero. */
export function orthonormalise(Q: Float64Array, rows: number): Float64Array {
  const m = Q.length / rows;
  const before = Float64Array.from({ length: rows }, (_, r) => lengthOf(Q, r * m, m));
  for (let r = 0; r < rows; r++) {
    // Earlier rows were subtracted once when they were final.
    for (let s = 0; s < r; s++) subtract(Q, r * m, s * m, m);
    const length = lengthOf(Q, r * m, m);
    const scale = length > 1e-12 * before[r] ? 1 / length : 0;
    for (let f = 0; f < m; f++) Q[r * m + f] *= scale;
    let t = r + 1;
    for (; t + 4 <= rows; t += 4) subtractFromFour(Q, t * m, r * m, m);
    for (; t < rows; t++) subtract(Q, t * m, r * m, m);
  }
  return Q;
}

/** Subtracts from one row what it has of another. */
function subtract(Q: Float64Array, from: number, other: number, m: number): void {
  let dot = 0;
  for (let f = 0; f < m; f++) dot += Q[from + f] * Q[other + f];
  for (let f = 0; f < m; f++) Q[from + f] -= dot * Q[other + f];
}

/** The same from four rows in turn: their sums do not wait for each other. */
function subtractFromFour(Q: Float64Array, from: number, other: number, m: number): void {
  const [second, third, last] = [from + m, from + 2 * m, from + 3 * m];
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let f = 0; f < m; f++) {
    const value = Q[other + f];
    a += Q[from + f] * value;
    b += Q[second + f] * value;
    c += Q[third + f] * value;
    d += Q[last + f] * value;
  }
  for (let f = 0; f < m; f++) {
    const value = Q[other + f];
    Q[from + f] -= a * value;
    Q[second + f] -= b * value;
    Q[third + f] -= c * value;
    Q[last + f] -= d * value;
  }
}

function lengthOf(Q: Float64Array, from: number, m: number): number {
  let sum = 0;
  for (let q = from; q < from + m; q++) sum += Q[q] * Q[q];
  return Math.sqrt(sum);
}
