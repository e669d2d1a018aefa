/** Cholesky factors of symmetric positive definite matrices, k × k row-major, from + − × ÷ √ alone. */

/** L with L·Lᵀ = A, of which the lower half is read. @throws RangeError where A is not positive definite */
export function factorize(A: Float64Array, k: number): Float64Array {
  const L = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = A[i * k + j];
      for (let t = 0, p = i * k, q = j * k; t < j; t++, p++, q++) sum -= L[p] * L[q];
      if (i !== j) L[i * k + j] = sum / L[j * k + j];
      else if (sum > 0) L[i * k + i] = Math.sqrt(sum);
      else throw new RangeError(`the matrix is not positive definite: pivot ${i} is ${sum}`);
    }
  }
  return L;
}

/** Solves L·y = b for each row b of B (n × k), in place. */
export function solveLower(L: Float64Array, k: number, B: Float64Array): void {
  for (let base = 0; base < B.length; base += k) {
    for (let i = 0; i < k; i++) {
      let sum = B[base + i];
      for (let t = 0, p = i * k; t < i; t++, p++) sum -= L[p] * B[base + t];
      B[base + i] = sum / L[i * k + i];
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

/** Lᵀ·b for each row b of B (n × k): undoes `solveUpper`. */
export function multiplyUpper(L: Float64Array, k: number, B: Float64Array): void {
  for (let base = 0; base < B.length; base += k) {
    for (let i = 0; i < k; i++) {
      let sum = 0;
      for (let t = i; t < k; t++) sum += L[t * k + i] * B[base + t];
      B[base + i] = sum;
    }
  }
}
