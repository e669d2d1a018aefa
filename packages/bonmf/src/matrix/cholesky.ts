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
  let i = 0;
  for (; i + 4 <= k; i += 4) {
    const [p, q, r, s] = [i * k, (i + 1) * k, (i + 2) * k, (i + 3) * k];
    let u = b[i];
    let v = b[i + 1];
    let w = b[i + 2];
    let x = b[i + 3];
    for (let t = 0; t < i; t++) {
      const value = b[t];
      u -= L[p + t] * value;
      v -= L[q + t] * value;
      w -= L[r + t] * value;
      x -= L[s + t] * value;
    }
    u /= L[p + i];
    v = (v - L[q + i] * u) / L[q + i + 1];
    w = (w - L[r + i] * u - L[r + i + 1] * v) / L[r + i + 2];
    x = (x - L[s + i] * u - L[s + i + 1] * v - L[s + i + 2] * w) / L[s + i + 3];
    b[i] = u;
    b[i + 1] = v;
    b[i + 2] = w;
    b[i + 3] = x;
  }
  for (; i < k; i++) {
    let sum = b[i];
    for (let t = 0, p = i * k; t < i; t++, p++) sum -= L[p] * b[t];
    b[i] = sum / L[i * k + i];
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
