/**
 * Fisher's discriminant (R. A. Fisher, "The use of multiple measurements in taxonomic problems", 1936): of all linear
 * views, the one with the largest ratio of between-cluster to within-cluster scatter. Points are products with the
 * prototypes; what lies outside the prototypes' span is lost, and no cluster depends on it.
 */

/** Ridge on the within-cluster scatter, as a share of its mean: prototypes may coincide or fit perfectly. */
const RIDGE = 1e-2;
const ROUNDS = 500;

export interface View {
  /** n × d: the points in units of the spread within clusters. */
  readonly points: Float64Array;
  /** n each: the two coordinates that show most. */
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/**
 * @param points n × d
 * @param clusters n numbers below k
 */
export function discriminate(points: Float64Array, d: number, clusters: ArrayLike<number>, k: number): View {
  const { within, between } = scatter(points, d, clusters, k);
  let trace = 0;
  for (let a = 0; a < d; a++) trace += within[a * d + a];
  const ridge = trace > 0 ? (RIDGE * trace) / d : 1;
  for (let a = 0; a < d; a++) within[a * d + a] += ridge;
  const L = factorise(within, d);
  // L⁻¹ B L⁻ᵀ: the same view in units of the spread within clusters.
  const half = solveRows(L, d, transpose(solveRows(L, d, transpose(between, d)), d));
  const even = solveRows(L, d, points);
  const first = findLeading(half, d, null);
  const second = findLeading(half, d, first);
  return { points: even, x: project(even, first), y: project(even, second) };
}

function project(points: Float64Array, axis: Float64Array): Float32Array {
  const d = axis.length;
  const out = new Float32Array(points.length / d);
  for (let i = 0; i < out.length; i++) for (let a = 0; a < d; a++) out[i] += points[i * d + a] * axis[a];
  return out;
}

/** Spread of points around the means of their clusters, and of these means around the mean of all; d × d each. */
function scatter(points: Float64Array, d: number, clusters: ArrayLike<number>, k: number) {
  const n = points.length / d;
  const sizes = new Float64Array(k);
  const means = new Float64Array(k * d);
  const mean = new Float64Array(d);
  for (let i = 0; i < n; i++) {
    sizes[clusters[i]]++;
    for (let a = 0; a < d; a++) {
      means[clusters[i] * d + a] += points[i * d + a];
      mean[a] += points[i * d + a] / n;
    }
  }
  for (let j = 0; j < k; j++) for (let a = 0; a < d; a++) means[j * d + a] /= Math.max(1, sizes[j]);
  const within = new Float64Array(d * d);
  const between = new Float64Array(d * d);
  for (let i = 0; i < n; i++) addProduct(within, points, i * d, means, clusters[i] * d, d, 1 / n);
  // Every cluster counts the same: a large one should not hide how small ones differ.
  for (let j = 0; j < k; j++) if (sizes[j] > 0) addProduct(between, means, j * d, mean, 0, d, 1 / k);
  return { within, between };
}

/** S += w (x − c)(x − c)ᵀ */
function addProduct(
  S: Float64Array,
  x: Float64Array,
  xAt: number,
  c: Float64Array,
  cAt: number,
  d: number,
  w: number,
): void {
  for (let a = 0; a < d; a++) {
    const left = w * (x[xAt + a] - c[cAt + a]);
    for (let b = 0; b < d; b++) S[a * d + b] += left * (x[xAt + b] - c[cAt + b]);
  }
}

/** Cholesky: L with L Lᵀ = A, for a positive definite A. */
function factorise(A: Float64Array, d: number): Float64Array {
  const L = new Float64Array(d * d);
  for (let a = 0; a < d; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = A[a * d + b];
      for (let t = 0; t < b; t++) sum -= L[a * d + t] * L[b * d + t];
      L[a * d + b] = a === b ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / L[b * d + b];
    }
  }
  return L;
}

/** Each row r of R becomes the solution of L x = r. */
function solveRows(L: Float64Array, d: number, R: Float64Array): Float64Array {
  const X = R.slice();
  for (let r = 0; r < R.length / d; r++) {
    for (let a = 0; a < d; a++) {
      for (let t = 0; t < a; t++) X[r * d + a] -= L[a * d + t] * X[r * d + t];
      X[r * d + a] /= L[a * d + a];
    }
  }
  return X;
}

function transpose(A: Float64Array, d: number): Float64Array {
  return A.map((_, p) => A[(p % d) * d + Math.floor(p / d)]);
}

/** The leading eigenvector of a symmetric A, at right angles to `other`, by power iteration. */
function findLeading(A: Float64Array, d: number, other: Float64Array | null): Float64Array {
  // A start that is unlikely to be orthogonal to the eigenvector, and differs the second time.
  let v = new Float64Array(d).map((_, a) => 1 / (1 + a + (other ? a * a : 0)));
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(d);
    for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) next[a] += A[a * d + b] * v[b];
    // Nothing is left to separate: keep the present direction.
    const settled = next.every((value) => Math.abs(value) < 1e-12) ? v : next;
    if (other) {
      const dot = settled.reduce((sum, value, a) => sum + value * other[a], 0);
      for (let a = 0; a < d; a++) settled[a] -= dot * other[a];
    }
    const length = Math.sqrt(settled.reduce((sum, value) => sum + value * value, 0));
    if (length === 0) return v;
    v = settled.map((value) => value / length);
  }
  return v;
}
