/**
 * Non-negative least squares by the active-set method of Lawson and Hanson (1974) on the normal equations, as Bro and
 * de Jong (1997) arrange it: minimise ½hᵀGh − bᵀh over h ≥ 0.
 *
 * @param G IN k × k, WᵀW
 * @param b IN k, Wᵀx
 * @param h OUT k
 */
export function solveNnls(G: Float64Array, b: Float64Array, h: Float64Array, k: number): void {
  h.fill(0, 0, k);
  const free: number[] = [];
  let scale = 0;
  for (let r = 0; r < k; r++) scale = Math.max(scale, Math.abs(b[r]));
  const slack = 1e-13 * k * scale;
  for (let round = 0; round < 3 * k + 10; round++) {
    let enter = -1;
    let steepest = slack;
    for (let r = 0; r < k; r++) {
      if (free.includes(r) || G[r * k + r] <= 0) continue;
      let descent = b[r];
      for (const s of free) descent -= G[r * k + s] * h[s];
      if (descent > steepest) {
        steepest = descent;
        enter = r;
      }
    }
    if (enter < 0) return;
    free.push(enter);
    while (free.length > 0) {
      const target = solveFree(G, b, free, k);
      if (target === null) {
        // The newcomer depends on those already free: it cannot lower the error.
        h[free.pop()!] = 0;
        return;
      }
      let step = 1;
      let leave = -1;
      for (let t = 0; t < free.length; t++) {
        if (target[t] > 0) continue;
        const share = h[free[t]] > 0 ? h[free[t]] / (h[free[t]] - target[t]) : 0;
        if (share < step || leave < 0) {
          step = share;
          leave = t;
        }
      }
      for (let t = 0; t < free.length; t++) h[free[t]] += step * (target[t] - h[free[t]]);
      if (leave < 0) break;
      h[free[leave]] = 0;
      free.splice(leave, 1);
    }
  }
}

/** Solves G h = b restricted to the free entries by Cholesky; null where that block is singular. */
function solveFree(G: Float64Array, b: Float64Array, free: readonly number[], k: number): Float64Array | null {
  const n = free.length;
  const L = new Float64Array(n * n);
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = G[free[i] * k + free[j]];
      for (let t = 0; t < j; t++) sum -= L[i * n + t] * L[j * n + t];
      if (i > j) L[i * n + j] = sum / L[j * n + j];
      else if (sum <= 1e-12 * G[free[i] * k + free[i]]) return null;
      else L[i * n + i] = Math.sqrt(sum);
    }
    let sum = b[free[i]];
    for (let t = 0; t < i; t++) sum -= L[i * n + t] * y[t];
    y[i] = sum / L[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let t = i + 1; t < n; t++) y[i] -= L[t * n + i] * y[t];
    y[i] /= L[i * n + i];
  }
  return y;
}
