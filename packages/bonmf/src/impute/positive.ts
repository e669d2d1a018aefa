/** Symmetric positive definite matrices, k × k row-major and full, in place. */

/** Replaces A by its inverse, by sweeps of its pivots. */
export function invert(A: Float64Array, k: number): void {
  for (let p = 0; p < k; p++) {
    const row = p * k;
    const pivot = 1 / A[row + p];
    A[row + p] = 1;
    for (let c = 0; c < k; c++) A[row + c] *= pivot;
    for (let r = 0; r < k; r++) {
      if (r === p) continue;
      const base = r * k;
      const factor = A[base + p];
      A[base + p] = 0;
      for (let c = 0; c < k; c++) A[base + c] -= factor * A[row + c];
    }
  }
}

/** Replaces b by the solution of A·x = b, and A's lower half by factors L·D·Lᵀ. */
export function solve(A: Float64Array, k: number, b: Float64Array): void {
  for (let j = 0; j < k; j++) {
    const pivot = A[j * k + j];
    for (let i = j + 1; i < k; i++) {
      const base = i * k;
      const factor = A[base + j] / pivot;
      for (let t = j + 1; t <= i; t++) A[base + t] -= factor * A[t * k + j];
      b[i] -= factor * b[j];
    }
  }
  for (let i = k - 1; i >= 0; i--) {
    for (let t = i + 1; t < k; t++) b[i] -= A[t * k + i] * b[t];
    b[i] /= A[i * k + i];
  }
}
