/** Cholesky factors of symmetric positive definite matrices, k × k row-major, from + − × ÷ √ alone. */

/** L with L·Lᵀ = A, of which the lower half is read. @throws RangeError where A is not positive definite */
export function factorize(A: Float64Array, k: number): Float64Array {
  const L = new Float64Array(k * k);
  for (let j = 0; j < k; j++) {
    const own = j * k;
    let pivot = A[own + j];
    for (let t = 0; t < j; t++) pivot -= L[own + t] * L[own + t];
    if (!(pivot > 0)) throw new RangeError(`the matrix is not positive definite: pivot ${j} is ${pivot}`);
    L[own + j] = Math.sqrt(pivot);
    let i = j + 1;
    // Four rows at a time: one sum alone would wait for its last addition.
    for (; i + 4 <= k; i += 4) {
      const [p, q, r, s] = [i * k, (i + 1) * k, (i + 2) * k, (i + 3) * k];
      let a = A[p + j];
      let b = A[q + j];
      let c = A[r + j];
      let d = A[s + j];
      for (let t = 0; t < j; t++) {
        const l = L[own + t];
        a -= L[p + t] * l;
        b -= L[q + t] * l;
        c -= L[r + t] * l;
        d -= L[s + t] * l;
      }
      L[p + j] = a / L[own + j];
      L[q + j] = b / L[own + j];
      L[r + j] = c / L[own + j];
      L[s + j] = d / L[own + j];
    }
    for (; i < k; i++) {
      let sum = A[i * k + j];
      for (let t = 0, p = i * k; t < j; t++, p++) sum -= L[p] * L[own + t];
      L[i * k + j] = sum / L[own + j];
    }
  }
  return L;
}

/** Solves L·y = b for each row b of B (n × k), in place. */
export function solveLower(L: Float64Array, k: number, B: Float64Array): void {
  let base = 0;
  // Four rows at a time, as above.
  for (; base + 4 * k <= B.length; base += 4 * k) {
    const [p, q, r, s] = [base, base + k, base + 2 * k, base + 3 * k];
    for (let i = 0; i < k; i++) {
      const own = i * k;
      let a = B[p + i];
      let b = B[q + i];
      let c = B[r + i];
      let d = B[s + i];
      for (let t = 0; t < i; t++) {
        const l = L[own + t];
        a -= l * B[p + t];
        b -= l * B[q + t];
        c -= l * B[r + t];
        d -= l * B[s + t];
      }
      B[p + i] = a / L[own + i];
      B[q + i] = b / L[own + i];
      B[r + i] = c / L[own + i];
      B[s + i] = d / L[own + i];
    }
  }
  for (; base < B.length; base += k) solveOne(L, k, B.subarray(base, base + k));
}

/** One row: four of its numbers at a time, as far as what they need is known. */
function solveOne(L: Float64Array, k: number, b: Float64Array): void {
  for (let first = 0; first < k; first += 4) {
    const rows = [0, 1, 2, 3].map((next) => Math.min(first + next, k - 1));
    const [p, q, r, s] = rows.map((row) => row * k);
    let [u, v, w, x] = rows.map((row) => b[row]);
    for (let t = 0; t < first; t++) {
      const value = b[t];
      u -= L[p + t] * value;
      v -= L[q + t] * value;
      w -= L[r + t] * value;
      x -= L[s + t] * value;
    }
    const sums = [u, v, w, x];
    for (let i = first; i < Math.min(first + 4, k); i++) {
      let sum = sums[i - first];
      for (let t = first; t < i; t++) sum -= L[i * k + t] * b[t];
      b[i] = sum / L[i * k + i];
    }
  }
}

/** Solves Lᵀ·y = b for each row b of B (n × k), in place. */
export function solveUpper(L: Float64Array, k: number, B: Float64Array): void {
  for (let base = 0; base < B.length; base += k) {
    for (let i = k - 1; i >= 0; i--) {
      const value = B[base + i] / L[i * k + i];
      B[base + i] = value;
      for (let t = 0, p = i * k; t < i; t++, p++) B[base + t] -= L[p] * value;
    }
  }
}
