import type { MethodName } from "../src/factor/settings.js";

/**
 * The family of methods again, straight from the formulas: X is m × n, W m × k, H a full k × n, all as number[][].
 * Nothing is shared with the library, nothing is fast, and each line can be read beside the mathematics.
 */
export type Grid = number[][];

export interface Factors {
  W: Grid;
  H: Grid;
}

export interface Look {
  potential: number;
  relativeError: number;
}

export interface OracleOptions {
  alpha?: number;
  sweeps?: number;
  /** For bonmf: the paper's W step, with a real first H. */
  multiplicative?: boolean;
  /** H⁰ of the real-valued methods; without it the pseudo-inverse makes one. */
  H?: Grid;
}

const ONE_HOT = ["bonmf", "spherical", "kmeans", "em-onmf"];
const MULTIPLICATIVE = ["nmf", "onmf", "onmf-ding"];

/** Runs `iterations` of a method: H⁰ (if any), then W from the last H, H from that W, and so on. */
export function runOracle(
  method: MethodName,
  data: Grid,
  start: Grid,
  iterations: number,
  options: OracleOptions = {},
): Factors & { history: Look[] } {
  const X = method === "spherical" ? unitColumns(data) : data;
  let W = start;
  let H: Grid | null = options.H ?? null;
  if (H === null && !ONE_HOT.includes(method)) H = firstH(method, X, W);
  if (options.multiplicative) H = times(pinv(times(flip(W), W)), times(flip(W), X));
  if (method === "onmf-ding" && H !== null) ({ W, H } = normaliseH({ W, H }));
  const history: Look[] = [];
  for (let t = 0; t < iterations; t++) {
    if (H !== null) W = stepW(method, X, { W, H }, options);
    H = stepH(method, X, { W, H: H ?? [] }, options);
    if (method === "onmf-ding") ({ W, H } = normaliseH({ W, H }));
    history.push({ potential: potentialOf(method, X, { W, H }, options), relativeError: errorOf(X, { W, H }) });
  }
  return { W, H: H ?? [], history };
}

/** H⁰ = max(floor, (WᵀW)⁺WᵀX), rounded at ½ for semi-binary; the floor keeps multiplicative updates alive. */
export function firstH(method: MethodName, X: Grid, W: Grid): Grid {
  const typical = Math.sqrt(sumSq(X) / X[0].length) / Math.sqrt(sumSq(W) / W[0].length);
  const floor = MULTIPLICATIVE.includes(method) ? 1e-3 * typical : 0;
  const H = map(times(pinv(times(flip(W), W)), times(flip(W), X)), (h) => Math.max(floor, h));
  if (method === "semi-binary") return map(H, (h) => (h >= 0.5 ? 1 : 0));
  return H;
}

export function stepW(method: MethodName, X: Grid, { W, H }: Factors, options: OracleOptions = {}): Grid {
  switch (method) {
    case "bonmf":
      return options.multiplicative ? map(leeSeungW(X, { W, H }), (w) => Math.max(0, w)) : means(X, { W, H });
    case "spherical":
    case "kmeans":
      return means(X, { W, H });
    case "em-onmf":
      return powerStep(X, { W, H });
    case "hals":
      return halsW(X, { W, H });
    default:
      return leeSeungW(X, { W, H });
  }
}

export function stepH(method: MethodName, X: Grid, { W, H }: Factors, options: OracleOptions = {}): Grid {
  const { alpha = 1, sweeps = 1 } = options;
  const WtX = times(flip(W), X);
  const G = times(flip(W), W);
  switch (method) {
    case "bonmf":
    case "spherical":
      return oneHot(cosineLabels(X, W), W[0].length);
    case "kmeans":
      return oneHot(distanceLabels(X, W), W[0].length);
    case "em-onmf": {
      const labels = cosineLabels(X, W);
      return W[0].map((_, j) => labels.map((a, i) => (a === j && G[j][j] > 0 ? WtX[j][i] / G[j][j] : 0)));
    }
    case "nmf":
      return product(H, ratio(WtX, times(G, H)));
    case "hals":
      return flip(flip(H).map((h, i) => settle(h, flip(WtX)[i], G, countSweeps(X, W[0].length), () => 0)));
    case "onmf": {
      const above = WtX.map((row, r) => row.map((x, i) => x + alpha * H[r][i]));
      const HHtH = times(times(H, flip(H)), H);
      const below = times(G, H).map((row, r) => row.map((x, i) => x + 2 * alpha * HHtH[r][i]));
      return product(H, ratio(above, below));
    }
    case "onmf-ding": {
      const WtXHtH = times(times(WtX, flip(H)), H);
      return product(H, map(ratio(WtX, WtXHtH), Math.sqrt));
    }
    case "semi-binary": {
      const out = H.map((row) => [...row]);
      for (let sweep = 0; sweep < sweeps; sweep++) {
        for (let r = 0; r < out.length; r++) {
          for (let i = 0; i < out[r].length; i++) {
            let rest = 0;
            for (let s = 0; s < out.length; s++) if (s !== r) rest += G[r][s] * out[s][i];
            out[r][i] = WtX[r][i] - rest > 0.5 * G[r][r] ? 1 : 0;
          }
        }
      }
      return out;
    }
  }
}

export function potentialOf(method: MethodName, X: Grid, { W, H }: Factors, { alpha = 1 }: OracleOptions = {}): number {
  switch (method) {
    case "bonmf":
    case "spherical":
      return flip(times(X, flip(H))).reduce((J, s) => J + Math.sqrt(dot(s, s)), 0);
    case "kmeans":
      return lossOf(X, { W: means(X, { W, H }), H });
    case "onmf": {
      const defect = times(H, flip(H)).map((row, r) => row.map((x, s) => x - (r === s ? 0.5 : 0)));
      return 0.5 * lossOf(X, { W, H }) + (alpha / 2) * sumSq(defect);
    }
    default:
      return lossOf(X, { W, H });
  }
}

/** ‖X − WH‖². */
export function lossOf(X: Grid, { W, H }: Factors): number {
  const WH = times(W, H);
  return sumSq(X.map((row, f) => row.map((x, i) => x - WH[f][i])));
}

export function errorOf(X: Grid, factors: Factors): number {
  return Math.sqrt(lossOf(X, factors) / sumSq(X));
}

/** a(i) = argmax_j ⟨x_i, w_j⟩ / ‖w_j‖, ties to the lowest j; a zero prototype scores 0. */
export function cosineLabels(X: Grid, W: Grid): number[] {
  return bestOf(X, W, (x, w) => (dot(w, w) > 0 ? dot(x, w) / Math.sqrt(dot(w, w)) : 0));
}

/** a(i) = argmin_j ‖x_i − w_j‖², ties to the lowest j. */
export function distanceLabels(X: Grid, W: Grid): number[] {
  return bestOf(X, W, (x, w) => -x.reduce((sum, value, f) => sum + (value - w[f]) ** 2, 0));
}

function bestOf(X: Grid, W: Grid, score: (x: number[], w: number[]) => number): number[] {
  const prototypes = flip(W);
  return flip(X).map((x) => {
    const scores = prototypes.map((w) => score(x, w));
    return scores.indexOf(Math.max(...scores));
  });
}

export function oneHot(labels: ArrayLike<number>, k: number): Grid {
  return Array.from({ length: k }, (_, j) => Array.from(labels, (a) => (a === j ? 1 : 0)));
}

/** The mean of each cluster's members; an empty cluster keeps its prototype. */
function means(X: Grid, { W, H }: Factors): Grid {
  return W.map((row, f) =>
    row.map((w, j) => {
      const count = H[j].reduce((sum, h) => sum + h, 0);
      return count > 0 ? dot(X[f], H[j]) / count : w;
    }),
  );
}

/** w_j ← Σ x ⟨x, w_j⟩ over the members, to length 1: one step of the power method. */
function powerStep(X: Grid, { W, H }: Factors): Grid {
  const S = times(X, flip(H));
  const lengths = flip(S).map((s) => Math.sqrt(dot(s, s)));
  return W.map((row, f) => row.map((w, j) => (lengths[j] > 0 ? S[f][j] / lengths[j] : w)));
}

/** W ∘ (XHᵀ) ⊘ (WHHᵀ). */
export function leeSeungW(X: Grid, { W, H }: Factors): Grid {
  const above = times(X, flip(H));
  const below = times(W, times(H, flip(H)));
  return map(
    W.map((row, f) => row.map((w, j) => (w * above[f][j]) / below[f][j])),
    (w) => (Number.isFinite(w) ? w : 0),
  );
}

/** As many as the values of a column of X that count, at least, are times k; one to ten. */
function countSweeps(X: Grid, k: number): number {
  const total = X.flat().reduce((sum, x) => sum + x, 0);
  return Math.min(10, Math.max(1, Math.round(total ** 2 / (X[0].length * sumSq(X)) / k)));
}

/**
 * Each entry in turn its optimum, `sweeps` times, or until a sweep lowers the loss by a hundredth of what the first did; and 0.8
 * of the way beyond, if the loss stays below what it was.
 */
function settle(given: number[], b: number[], G: Grid, sweeps: number, unused: (h: number) => number): number[] {
  const h = [...given];
  let first = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const before = [...h];
    h.forEach((value, r) => {
      const rest = h.reduce((sum, other, s) => (s === r ? sum : sum + G[r][s] * other), 0);
      h[r] = G[r][r] > 0 ? Math.max(0, (b[r] - rest) / G[r][r]) : unused(value);
    });
    const moved = h.reduce((sum, value, r) => (G[r][r] > 0 ? sum + G[r][r] * (value - before[r]) ** 2 : sum), 0);
    if (sweep === 0) first = moved;
    if (!(moved > 0.01 * first)) break;
  }
  const loss = (v: number[]) => v.reduce((sum, value, r) => sum + value * (dot(G[r], v) - 2 * b[r]), 0);
  const next = h.map((value, r) => Math.max(0, value + 0.8 * (value - given[r])));
  return loss(next) <= loss(given) ? next : h;
}

function halsW(X: Grid, { W, H }: Factors): Grid {
  const XHt = times(X, flip(H));
  const HHt = times(H, flip(H));
  const sweeps = countSweeps(flip(X), W[0].length);
  return W.map((row, f) => settle(row, XHt[f], HHt, sweeps, (w) => w));
}

/** Rows of H to length 1, their lengths into W: WH stays. */
export function normaliseH({ W, H }: Factors): Factors {
  const lengths = H.map((row) => Math.sqrt(dot(row, row)));
  return {
    W: W.map((row) => row.map((w, j) => w * lengths[j])),
    H: H.map((row, j) => row.map((h) => (lengths[j] > 0 ? h / lengths[j] : 0))),
  };
}

export function unitColumns(X: Grid): Grid {
  const lengths = flip(X).map((x) => Math.sqrt(dot(x, x)));
  return X.map((row) => row.map((x, i) => (lengths[i] > 0 ? x / lengths[i] : 0)));
}

/**
 * The Moore–Penrose inverse by full-rank factorisation: A = CF with C the pivot columns and F the reduced rows, so that
 * A⁺ = Fᵀ(FFᵀ)⁻¹(CᵀC)⁻¹Cᵀ.
 */
export function pinv(A: Grid): Grid {
  const { rows, pivots } = reduce(A);
  if (pivots.length === 0) return flip(A);
  const F = rows.slice(0, pivots.length);
  const C = A.map((row) => pivots.map((p) => row[p]));
  return times(times(flip(F), inverse(times(F, flip(F)))), times(inverse(times(flip(C), C)), flip(C)));
}

function inverse(A: Grid): Grid {
  const n = A.length;
  const { rows } = reduce(A.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]));
  return rows.map((row) => row.slice(n));
}

/** Gauss–Jordan with the largest pivot of each column. */
function reduce(A: Grid): { rows: Grid; pivots: number[] } {
  const rows = A.map((row) => [...row]);
  const least = 1e-10 * Math.max(...A.flat().map(Math.abs));
  const pivots: number[] = [];
  for (let c = 0; c < rows[0].length && pivots.length < rows.length; c++) {
    const r = pivots.length;
    let best = r;
    for (let i = r; i < rows.length; i++) if (Math.abs(rows[i][c]) > Math.abs(rows[best][c])) best = i;
    if (Math.abs(rows[best][c]) <= least) continue;
    [rows[r], rows[best]] = [rows[best], rows[r]];
    const pivot = rows[r][c];
    rows[r] = rows[r].map((x) => x / pivot);
    for (let i = 0; i < rows.length; i++) {
      const share = rows[i][c];
      if (i !== r) rows[i] = rows[i].map((x, j) => x - share * rows[r][j]);
    }
    pivots.push(c);
  }
  return { rows, pivots };
}

export function flip(A: Grid): Grid {
  return (A[0] ?? []).map((_, j) => A.map((row) => row[j]));
}

export function times(A: Grid, B: Grid): Grid {
  const columns = flip(B);
  return A.map((row) => columns.map((column) => dot(row, column)));
}

export function dot(a: number[], b: number[]): number {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

export function sumSq(A: Grid): number {
  return A.reduce((sum, row) => sum + dot(row, row), 0);
}

function map(A: Grid, f: (x: number) => number): Grid {
  return A.map((row) => row.map(f));
}

/** A ⊘ B; iONMF has no ε: what is not finite counts as 0 once multiplied. */
function ratio(A: Grid, B: Grid): Grid {
  return A.map((row, r) => row.map((a, i) => a / B[r][i]));
}

function product(A: Grid, B: Grid): Grid {
  return A.map((row, r) => row.map((a, i) => (Number.isFinite(a * B[r][i]) ? a * B[r][i] : 0)));
}
