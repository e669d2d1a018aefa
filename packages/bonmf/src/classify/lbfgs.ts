/**
 * L-BFGS (Liu and Nocedal, "On the limited memory BFGS method for large scale optimization", 1989) with a bisecting line
 * search for the weak Wolfe conditions (Lewis and Overton, 2013). Only + − × ÷ √ in a fixed order: the same bits everywhere.
 */

/** The second derivatives, or something like them: the scale does not matter. */
export interface Curvature {
  /** Divides a gradient by them, in place. */
  divide(gradient: Float64Array): void;
}

/** Writes the gradient at x and returns the value there. */
export type Objective = (x: Float64Array, gradient: Float64Array) => Promise<number>;

export interface Minimum {
  readonly x: Float64Array;
  readonly value: number;
  /** How many times the objective was asked. */
  readonly evaluations: number;
  /** Whether the largest entry of the gradient came below the tolerance. */
  readonly converged: boolean;
}

export interface MinimizeOptions {
  /** Stop when no entry of the gradient is larger. */
  readonly tolerance: number;
  /** The most evaluations. */
  readonly limit: number;
  /** What directions begin with. Default: the same curvature everywhere. */
  readonly first?: Curvature | undefined;
  /** The curvature at a point that is no longer far from the minimum, for better directions. Default: from earlier steps alone. */
  readonly curvature?: ((x: Float64Array) => Curvature) | undefined;
  /** How many steps to take before the curvature is measured. Default 0. */
  readonly patience?: number | undefined;
}

/** How many earlier steps tell of the curvature. */
const MEMORY = 30;
/** A step must lower the value by this share of what the slope promises, and leave at most that share of the slope. */
const DECREASE = 1e-4;
const SLOPE_LEFT = 0.9;
const MOST_TRIES = 30;
/** A value is known up to this share of it. */
const ROUNDING = 2 ** -50;

/** Minimizes a smooth convex function. @param start IN where to begin; it is not changed */
export async function minimize(objective: Objective, start: Float64Array, options: MinimizeOptions): Promise<Minimum> {
  let x: Float64Array = start.slice();
  let gradient: Float64Array = new Float64Array(x.length);
  let value = await objective(x, gradient);
  let evaluations = 1;
  const memory: Correction[] = [];
  let curvature: Curvature | null = options.first ?? null;
  let measured = false;
  for (let steps = 0; largest(gradient) > options.tolerance && evaluations < options.limit; steps++) {
    if (options.curvature && steps === (options.patience ?? 0)) {
      curvature = options.curvature(x);
      measured = true;
      memory.length = 0;
    }
    let direction = descend(gradient, memory, curvature);
    let slope = dot(direction, gradient);
    if (!(slope < 0)) {
      memory.length = 0;
      direction = descend(gradient, memory, curvature);
      slope = dot(direction, gradient);
    }
    const first = memory.length > 0 || measured ? 1 : Math.min(1, 1 / Math.sqrt(-slope));
    const tried = await search(objective, { x, value, slope, direction, first });
    evaluations += tried.evaluations;
    // Rounding hides any further progress.
    if (tried.found === null) return { x, value, evaluations, converged: false };
    remember(memory, x, gradient, tried.found, curvature);
    ({ x, gradient, value } = tried.found);
  }
  return { x, value, evaluations, converged: largest(gradient) <= options.tolerance };
}

interface Point {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  readonly value: number;
}

/** A step and the change of the gradient along it. */
interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
  /** ⟨step, change⟩. */
  readonly product: number;
  /** The same over ⟨change, what the curvature leaves of it⟩: directions begin with this share of the divided gradient. */
  readonly scale: number;
}

interface Line {
  readonly x: Float64Array;
  readonly value: number;
  readonly slope: number;
  readonly direction: Float64Array;
  readonly first: number;
}

/** A point on the line that fulfils both conditions, or the best one that lowers the value; null: none does. */
async function search(objective: Objective, line: Line): Promise<{ found: Point | null; evaluations: number }> {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let length = line.first;
  let found: Point | null = null;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const x = line.x.slice();
    addTo(x, length, line.direction);
    const gradient = new Float64Array(x.length);
    const value = await objective(x, gradient);
    const slope = dot(line.direction, gradient);
    // Where rounding hides how much lower it is, slopes tell (Hager and Zhang, 2005).
    const isHidden = Math.abs(value - line.value) <= ROUNDING * Math.abs(line.value);
    const isLower =
      value <= line.value + DECREASE * length * line.slope || (isHidden && slope <= (2 * DECREASE - 1) * line.slope);
    if (!isLower) high = length;
    else {
      if (found === null || value < found.value) found = { x, gradient, value };
      if (slope >= SLOPE_LEFT * line.slope) return { found, evaluations: tries };
      low = length;
    }
    length = high < Number.POSITIVE_INFINITY ? (low + high) / 2 : 2 * low;
  }
  return { found, evaluations: MOST_TRIES };
}

/** The two-loop recursion: minus the gradient times an estimate of the inverse Hessian, which begins with that of the curvature. */
function descend(gradient: Float64Array, memory: readonly Correction[], curvature: Curvature | null): Float64Array {
  const q = scaled(gradient, -1);
  const shares = new Float64Array(memory.length);
  let along = memory.length > 0 ? dot(memory[memory.length - 1].step, q) : 0;
  for (let c = memory.length - 1; c >= 0; c--) {
    shares[c] = along / memory[c].product;
    along = addAndDot(q, -shares[c], memory[c].change, memory[Math.max(0, c - 1)].step);
  }
  const last = memory.at(-1);
  curvature?.divide(q);
  if (last) {
    for (let p = 0; p < q.length; p++) q[p] *= last.scale;
    along = dot(memory[0].change, q);
  }
  memory.forEach(({ step, product }, c) => {
    along = addAndDot(q, shares[c] - along / product, step, memory[Math.min(c + 1, memory.length - 1)].change);
  });
  return q;
}

function remember(
  memory: Correction[],
  x: Float64Array,
  gradient: Float64Array,
  next: Point,
  curvature: Curvature | null,
): void {
  const step = next.x.slice();
  addTo(step, -1, x);
  const change = next.gradient.slice();
  addTo(change, -1, gradient);
  const product = dot(step, change);
  if (!(product > 0)) return;
  const own = curvature === null ? change : change.slice();
  curvature?.divide(own);
  memory.push({ step, change, product, scale: product / dot(change, own) });
  if (memory.length > MEMORY) memory.shift();
}

/** In four interleaved parts: one sum alone would wait for its last addition. */
function dot(a: Float64Array, b: Float64Array): number {
  const parts = a.length - (a.length % 4);
  let [s, t, u, v] = [0, 0, 0, 0];
  for (let p = 0; p < parts; p += 4) {
    s += a[p] * b[p];
    t += a[p + 1] * b[p + 1];
    u += a[p + 2] * b[p + 2];
    v += a[p + 3] * b[p + 3];
  }
  for (let p = parts; p < a.length; p++) s += a[p] * b[p];
  return s + t + (u + v);
}

/** Adds to a, then returns ⟨a, b⟩ of it: read once for both. */
function addAndDot(a: Float64Array, scale: number, more: Float64Array, b: Float64Array): number {
  const parts = a.length - (a.length % 4);
  let [s, t, u, v] = [0, 0, 0, 0];
  for (let p = 0; p < parts; p += 4) {
    const w = a[p] + scale * more[p];
    const x = a[p + 1] + scale * more[p + 1];
    const y = a[p + 2] + scale * more[p + 2];
    const z = a[p + 3] + scale * more[p + 3];
    a[p] = w;
    a[p + 1] = x;
    a[p + 2] = y;
    a[p + 3] = z;
    s += w * b[p];
    t += x * b[p + 1];
    u += y * b[p + 2];
    v += z * b[p + 3];
  }
  for (let p = parts; p < a.length; p++) {
    a[p] += scale * more[p];
    s += a[p] * b[p];
  }
  return s + t + (u + v);
}

function addTo(sums: Float64Array, scale: number, more: Float64Array): void {
  for (let p = 0; p < sums.length; p++) sums[p] += scale * more[p];
}

function scaled(values: Float64Array, scale: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let p = 0; p < out.length; p++) out[p] = scale * values[p];
  return out;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let p = 0; p < values.length; p++) most = Math.max(most, Math.abs(values[p]));
  return most;
}
