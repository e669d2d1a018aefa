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
  const system = systemFor(k);
  const { free, isFree, target } = system;
  isFree.fill(0);
  let count = 0;
  let scale = 0;
  for (let r = 0; r < k; r++) scale = Math.max(scale, Math.abs(b[r]));
  const slack = 1e-13 * k * scale;
  for (let round = 0; round < 3 * k + 10; round++) {
    let enter = -1;
    let steepest = slack;
    for (let r = 0; r < k; r++) {
      if (isFree[r] || G[r * k + r] <= 0) continue;
      let descent = b[r];
      for (let t = 0; t < count; t++) descent -= G[r * k + free[t]] * h[free[t]];
      if (descent > steepest) {
        steepest = descent;
        enter = r;
      }
    }
    if (enter < 0) return;
    free[count++] = enter;
    isFree[enter] = 1;
    // Of the factor all rows but the newcomer's stand; after a departure those before it.
    let known = count - 1;
    while (count > 0) {
      if (!solveFree(system, G, b, count, known, k)) {
        // The newcomer depends on those already free: it cannot lower the error.
        h[free[count - 1]] = 0;
        return;
      }
      let step = 1;
      let leave = -1;
      for (let t = 0; t < count; t++) {
        if (target[t] > 0) continue;
        const share = h[free[t]] > 0 ? h[free[t]] / (h[free[t]] - target[t]) : 0;
        if (share < step || leave < 0) {
          step = share;
          leave = t;
        }
      }
      for (let t = 0; t < count; t++) h[free[t]] += step * (target[t] - h[free[t]]);
      if (leave < 0) break;
      h[free[leave]] = 0;
      isFree[free[leave]] = 0;
      free.copyWithin(leave, leave + 1, count--);
      known = leave;
    }
  }
}

/** Working memory for one system; they are solved one at a time. */
interface System {
  readonly k: number;
  /** The free entries in the order they came. */
  readonly free: Int32Array;
  readonly isFree: Uint8Array;
  /** The Cholesky factor of the free block, and L⁻¹b. */
  readonly L: Float64Array;
  readonly y: Float64Array;
  readonly target: Float64Array;
}

let scratch: System | null = null;

function systemFor(k: number): System {
  if (scratch?.k === k) return scratch;
  const of = (length: number) => new Float64Array(length);
  scratch = { k, free: new Int32Array(k), isFree: new Uint8Array(k), L: of(k * k), y: of(k), target: of(k) };
  return scratch;
}

/** Solves G h = b restricted to the first `n` free entries, `known` rows of whose factor stand; false where it is singular. */
function solveFree(
  { free, L, y, target }: System,
  G: Float64Array,
  b: Float64Array,
  n: number,
  known: number,
  k: number,
): boolean {
  for (let i = known; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = G[free[i] * k + free[j]];
      for (let t = 0; t < j; t++) sum -= L[i * k + t] * L[j * k + t];
      if (i > j) L[i * k + j] = sum / L[j * k + j];
      else if (sum <= 1e-12 * G[free[i] * k + free[i]]) return false;
      else L[i * k + i] = Math.sqrt(sum);
    }
    let sum = b[free[i]];
    for (let t = 0; t < i; t++) sum -= L[i * k + t] * y[t];
    y[i] = sum / L[i * k + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = y[i];
    for (let t = i + 1; t < n; t++) sum -= L[t * k + i] * target[t];
    target[i] = sum / L[i * k + i];
  }
  return true;
}
