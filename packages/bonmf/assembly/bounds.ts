// Hamerly and Yinyang bounds. A bound is stored with the drift that the prototypes had when it was computed: a later step adds
// to the drifts and leaves the bounds alone. The first test of a sample reads its label and its budget: the drift that its
// own prototype and the farthest-moved other may have together before the label is in doubt.

import { scoreKnown } from "./gaps";
import { AssignState } from "./structs";
import { NONE, relabel } from "./sums";
import { SCRATCH } from "./panel";

// ⟨x, w⟩ with lanes along the features: for bounds only, where the order of summation does not matter.
@inline function dotDense<T>(x: usize, w: usize, m: i32): f64 {
  const size = sizeof<T>();
  const end = x + (<usize>m) * size;
  let a = v128.splat<T>(0), b = v128.splat<T>(0), c = v128.splat<T>(0), d = v128.splat<T>(0);
  while (x + 64 <= end) {
    a = v128.add<T>(a, v128.mul<T>(v128.load(x), v128.load(w)));
    b = v128.add<T>(b, v128.mul<T>(v128.load(x, 16), v128.load(w, 16)));
    c = v128.add<T>(c, v128.mul<T>(v128.load(x, 32), v128.load(w, 32)));
    d = v128.add<T>(d, v128.mul<T>(v128.load(x, 48), v128.load(w, 48)));
    x += 64; w += 64;
  }
  a = v128.add<T>(a, c);
  b = v128.add<T>(b, d);
  while (x + 32 <= end) {
    a = v128.add<T>(a, v128.mul<T>(v128.load(x), v128.load(w)));
    b = v128.add<T>(b, v128.mul<T>(v128.load(x, 16), v128.load(w, 16)));
    x += 32; w += 32;
  }
  a = v128.add<T>(a, b);
  let sum: f64 = 0;
  if (size == 4) sum = <f64>f32x4.extract_lane(a, 0) + <f64>f32x4.extract_lane(a, 1) + <f64>f32x4.extract_lane(a, 2) + <f64>f32x4.extract_lane(a, 3);
  else sum = f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
  while (x < end) {
    sum += <f64>load<T>(x) * <f64>load<T>(w);
    x += size; w += size;
  }
  return sum;
}

@inline function term<T>(indices: usize, values: usize, p: usize, w: usize): T {
  return load<T>(values + p * sizeof<T>()) * load<T>(w + (<usize>load<u32>(indices + p * 4)) * sizeof<T>());
}
@inline function dotSparse<T>(offsets: usize, indices: usize, values: usize, i: usize, w: usize): f64 {
  let a: T = 0, b: T = 0, c: T = 0, d: T = 0;
  let p = <usize>load<u32>(offsets + i * 4);
  const end = <usize>load<u32>(offsets + i * 4, 4);
  for (; p + 4 <= end; p += 4) {
    a += term<T>(indices, values, p, w); b += term<T>(indices, values, p + 1, w);
    c += term<T>(indices, values, p + 2, w); d += term<T>(indices, values, p + 3, w);
  }
  for (; p < end; p++) a += term<T>(indices, values, p, w);
  return <f64>((a + b) + (c + d));
}

// Squared distances are base − 2·score·inverse: of unit vectors (by angle: base 2, inverse 1/‖x‖) or of points (base
// ‖x‖², inverse 1).
@inline function baseOf(p: AssignState, norm: f64): f64 { return p.angular ? 2 : norm * norm; }
@inline function inverseOf(p: AssignState, norm: f64): f64 { return p.angular ? (norm > 0 ? 1 / norm : 0) : 1; }
@inline function errorOf(p: AssignState, norm: f64): f64 { return p.e0 + (p.e1 + p.e2 * norm) * norm; }

const UP: f64 = 1 + 2.4e-7;
const DOWN: f64 = 1 - 2.4e-7;

@inline function upperOf(p: AssignState, norm: f64, score: f64, error: f64): f64 {
  return Math.sqrt(max<f64>(0, baseOf(p, norm) - 2 * score * inverseOf(p, norm)) + error) * UP;
}
@inline function lowerOf(p: AssignState, norm: f64, score: f64, error: f64): f64 {
  return Math.sqrt(max<f64>(0, baseOf(p, norm) - 2 * score * inverseOf(p, norm) - error)) * DOWN;
}

// No other prototype can score as high, even if both scores are off by `error`.
@inline function isSafe(upper: f64, lower: f64, error: f64): bool {
  return lower > upper && lower * lower - upper * upper > 2 * error;
}

// Upper bounds only grow: while lower − upper > √(upper² + 2·error) − upper, with the upper bound of now, isSafe holds. So
// the gap is lower − √(upper² + 2·error).
@inline function putBudget(p: AssignState, at: usize, label: usize, upper: f64, lower: f64, error: f64): void {
  putGap(p, at, label, lower - Math.sqrt(upper * upper + 2 * error));
}
@inline export function putGap(p: AssignState, at: usize, label: usize, gap: f64): void {
  store<f32>(p.budgets + at * 4, <f32>(gap - p.slack + load<f64>(p.pairDrifts + label * 8)));
}
// The same from two scores, both roots at once.
@inline function putScored(p: AssignState, at: usize, label: usize, norm: f64, best: f64, second: f64, error: f64): void {
  const base = baseOf(p, norm), twice = 2 * inverseOf(p, norm);
  const upper = max<f64>(0, base - twice * best) + error, lower = max<f64>(0, base - twice * second - error);
  const roots = f64x2.sqrt(f64x2(upper * (UP * UP) + 2 * error, lower));
  putGap(p, at, label, f64x2.extract_lane(roots, 1) * DOWN - f64x2.extract_lane(roots, 0));
}

@inline function upperNow(p: AssignState, at: usize, label: usize): f64 {
  return <f64>load<f32>(p.uppers + at * 4) + load<f64>(p.drifts + label * 8);
}
@inline function putUpper(p: AssignState, at: usize, label: usize, upper: f64): void {
  store<f32>(p.uppers + at * 4, <f32>(upper + p.slack - load<f64>(p.drifts + label * 8)));
}

// Lists the samples from … to − 1 whose budget is exceeded. Returns how many.
export function listDoubtful(p: AssignState, from: i32, to: i32): i32 {
  const labels = p.labels, budgets = p.budgets, caps = p.pairDrifts32, list = p.listed;
  let end = list;
  for (let i = from; i < to; i++) {
    store<u32>(end, i);
    const cap = load<f32>(caps + (<usize>load<u32>(labels + (<usize>i) * 4)) * 4);
    end += load<f32>(budgets + (<usize>i) * 4) > cap ? 0 : 4;
  }
  return <i32>((end - list) >> 2);
}

// Lists samples from … to − 1, whatever their bounds.
export function listAll(p: AssignState, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<u32>(p.listed + (<usize>(i - from)) * 4, i);
}

// A lower bound for each group of prototypes; for the sample's own group, without its own prototype. There are at least two
// groups. Vectors take four; the last vector ends with the last group and may overlap the one before.
@inline function lowerNow(p: AssignState, at: usize, label: usize, g: usize): f32 {
  const G = <usize>p.groups;
  return load<f32>(p.lowers + (at * G + g) * 4) - load<f32>(p.groupDrifts32 + (label * G + g) * 4);
}
@inline function fourNow(cells: usize, tolls: usize): v128 { return f32x4.sub(v128.load(cells), v128.load(tolls)); }

@inline function leastGroup(p: AssignState, at: usize, label: usize): f64 {
  const G = <usize>p.groups;
  if (G < 4) {
    let least = lowerNow(p, at, label, 0);
    for (let g: usize = 1; g < G; g++) least = min<f32>(least, lowerNow(p, at, label, g));
    return <f64>least - p.slack;
  }
  const cells = p.lowers + at * G * 4, tolls = p.groupDrifts32 + label * G * 4;
  const last = (G - 4) * 4;
  let four = fourNow(cells + last, tolls + last);
  for (let g: usize = 0; g < last; g += 16) four = f32x4.pmin(four, fourNow(cells + g, tolls + g));
  four = f32x4.pmin(four, v128.shuffle<f32>(four, four, 2, 3, 0, 1));
  four = f32x4.pmin(four, v128.shuffle<f32>(four, four, 1, 0, 3, 2));
  return <f64>f32x4.extract_lane(four, 0) - p.slack;
}

// The groups whose lower bound is not above `limit`, as bits.
@inline function groupsWithin(p: AssignState, at: usize, label: usize, limit: f32): u32 {
  const G = <usize>p.groups;
  let mask: u32 = 0;
  if (G < 4) {
    for (let g: usize = 0; g < G; g++) if (lowerNow(p, at, label, g) <= limit) mask |= 1 << <u32>g;
    return mask;
  }
  const cells = p.lowers + at * G * 4, tolls = p.groupDrifts32 + label * G * 4;
  const most = f32x4.splat(limit);
  const last = (G - 4) * 4;
  for (let g: usize = 0; g < last; g += 16) mask |= i32x4.bitmask(f32x4.le(fourNow(cells + g, tolls + g), most)) << (<u32>g >> 2);
  return mask | (i32x4.bitmask(f32x4.le(fourNow(cells + last, tolls + last), most)) << <u32>(G - 4));
}

// Touches one word of each cache line of the listed samples, so that their cache misses overlap (there is no prefetch in
// WebAssembly).
@inline export function prefetch<T>(p: AssignState, count: i32): void {
  const row = (<usize>p.m) * sizeof<T>();
  const X = p.X, list = p.listed, indices = p.indices, values = p.values;
  let sum: u32 = 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    const at = <usize>load<u32>(list + s * 4);
    if (p.sparse) {
      const end = <usize>load<u32>(X + at * 4, 4);
      for (let q = <usize>load<u32>(X + at * 4); q < end; q += 16) {
        sum += load<u32>(indices + q * 4) + load<u32>(values + q * sizeof<T>());
      }
    } else {
      const end = X + row * at + row;
      for (let x = X + row * at; x < end; x += 64) sum += load<u32>(x);
    }
  }
  store<u32>(SCRATCH, sum);
}

// Tests the listed samples again: first with all their bounds, then with the exact distance to their own prototypes. Those
// still in doubt stay in the list. Returns how many, and in `best` how many products that took. Products are computed in a
// loop without branches, so that cache misses overlap.
@inline export function tighten<T>(p: AssignState, count: i32): i32 {
  const size = sizeof<T>();
  const list = p.listed, dots = p.topScores, lowers = p.secondScores, m = p.m;
  let doubtful: i32 = 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = load<u32>(list + s * 4);
    const at = <usize>i;
    const label = <usize>load<u32>(p.labels + at * 4);
    const error = errorOf(p, load<f64>(p.norms + at * 8));
    const lower = leastGroup(p, at, label);
    const upper = upperNow(p, at, label);
    if (isSafe(upper, lower, error)) putBudget(p, at, label, upper, lower, error);
    else {
      store<u32>(list + (<usize>doubtful) * 4, i);
      store<f64>(lowers + (<usize>(doubtful++)) * 8, lower);
    }
  }
  if (p.prefetch) prefetch<T>(p, doubtful);
  for (let s: usize = 0; s < <usize>doubtful; s++) {
    const at = <usize>load<u32>(list + s * 4);
    const label = <usize>load<u32>(p.labels + at * 4);
    const w = p.rows + label * (<usize>m) * size;
    const dot = p.sparse ? dotSparse<T>(p.X, p.indices, p.values, at, w) : dotDense<T>(p.X + at * (<usize>m) * size, w, m);
    store<f64>(dots + s * 8, scoreKnown<T>(p.input, at, w, dot, <f64>load<T>(p.biases + label * size)));
  }
  let left: i32 = 0;
  for (let s: usize = 0; s < <usize>doubtful; s++) {
    const i = load<u32>(list + s * 4);
    const at = <usize>i;
    const label = <usize>load<u32>(p.labels + at * 4);
    const norm = load<f64>(p.norms + at * 8);
    const error = errorOf(p, norm);
    const upper = upperOf(p, norm, load<f64>(dots + s * 8), error);
    const lower = load<f64>(lowers + s * 8);
    putUpper(p, at, label, upper);
    if (isSafe(upper, lower, error)) putBudget(p, at, label, upper, lower, error);
    else store<u32>(list + (<usize>(left++)) * 4, i);
  }
  store<u32>(p.best, doubtful);
  return left;
}

// Marks for each listed sample, as bits, the groups other than its own that may have a better prototype.
export function markOthers(p: AssignState, count: i32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    const at = <usize>load<u32>(p.listed + s * 4);
    const label = load<u32>(p.labels + at * 4);
    let mask: u32 = (1 << p.groups) - 1;
    if (label != NONE) {
      const upper = upperNow(p, at, label);
      // Above it a bound is safe.
      const limit = Math.sqrt(upper * upper + 2 * errorOf(p, load<f64>(p.norms + at * 8))) * UP + p.slack;
      mask = groupsWithin(p, at, label, <f32>(limit * UP)) & ~(1 << load<u32>(p.groupOf + (<usize>label) * 4));
    }
    store<u32>(p.masks + s * 4, mask);
  }
}

// Marks the sample's own group where the bounds do not prove that its prototype is the best.
@inline export function markOwn<T>(p: AssignState, count: i32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    const at = <usize>load<u32>(p.listed + s * 4);
    const label = load<u32>(p.labels + at * 4);
    let mask: u32 = 0;
    if (label != NONE) {
      const own = <i32>load<u32>(p.groupOf + (<usize>label) * 4);
      const norm = load<f64>(p.norms + at * 8);
      const error = errorOf(p, norm);
      const others = lowerOf(p, norm, <f64>load<T>(p.topScores + s * sizeof<T>()), error);
      const lower = <f64>lowerNow(p, at, label, <usize>own) - p.slack;
      if (!isSafe(upperNow(p, at, label), min<f64>(others, lower), error)) mask = 1 << own;
    }
    store<u32>(p.masks + s * 4, mask);
  }
}

// Lists the samples marked for group g: their places in the list, and their ids. Returns how many.
export function listMarked(p: AssignState, count: i32, g: i32): i32 {
  const list = p.listed, slots = p.places, ids = p.ids, masks = p.masks;
  let picked: usize = 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    store<u32>(slots + picked * 4, <u32>s);
    store<u32>(ids + picked * 4, load<u32>(list + s * 4));
    picked += (load<u32>(masks + s * 4) >> g) & 1;
  }
  return <i32>picked;
}

// Resets `count` running results.
@inline export function clear<T>(best: usize, second: usize, label: usize, count: i32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    store<T>(best + s * sizeof<T>(), <T>-Infinity);
    store<T>(second + s * sizeof<T>(), <T>-Infinity);
    store<u32>(label + s * 4, 0);
  }
}

@inline function putLower(p: AssignState, at: usize, g: u32, lower: f64, way: f64): void {
  store<f32>(p.lowers + (at * <usize>p.groups + <usize>g) * 4, <f32>(lower + way));
}

// Merges a group's results into the running results of the listed samples and sets the group's lower bounds; `settle` corrects
// the bound of the winner's group.
@inline export function merge<T>(p: AssignState, picked: i32, g: i32): void {
  const size = sizeof<T>();
  const tops = p.topScores, runners = p.secondScores, winners = p.topLabels;
  const span = load<f64>(p.groupDrifts + (<usize>g) * 8);
  for (let q: usize = 0; q < <usize>picked; q++) {
    const s = <usize>load<u32>(p.places + q * 4);
    const at = <usize>load<u32>(p.ids + q * 4);
    const norm = load<f64>(p.norms + at * 8);
    const score = load<T>(p.best + q * size);
    putLower(p, at, g, lowerOf(p, norm, <f64>score, errorOf(p, norm)), span);
    const top = load<T>(tops + s * size);
    const label = load<u32>(p.label + q * 4);
    if (score > top || (score == top && label < load<u32>(winners + s * 4))) {
      store<T>(tops + s * size, score);
      store<T>(runners + s * size, load<T>(p.second + q * size));
      store<u32>(winners + s * 4, label);
    }
  }
}

// Sets label and bounds of every listed sample; one whose own group was not scored keeps its label.
@inline export function settle<T>(p: AssignState, count: i32): void {
  const size = sizeof<T>();
  const grouped = p.groups > 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = load<u32>(p.listed + s * 4);
    const at = <usize>i;
    const norm = load<f64>(p.norms + at * 8);
    const error = errorOf(p, norm);
    const old = load<u32>(p.labels + at * 4);
    if (grouped && old != NONE && load<u32>(p.masks + s * 4) == 0) {
      putBudget(p, at, old, upperNow(p, at, old), leastGroup(p, at, old), error);
      continue;
    }
    const winner = load<u32>(p.topLabels + s * 4);
    const best = <f64>load<T>(p.topScores + s * size), second = <f64>load<T>(p.secondScores + s * size);
    if (grouped) {
      const upper = upperOf(p, norm, best, error), lower = lowerOf(p, norm, second, error);
      putUpper(p, at, winner, upper);
      putLower(p, at, load<u32>(p.groupOf + (<usize>winner) * 4), lower, load<f64>(p.otherDrifts + (<usize>winner) * 8));
      putBudget(p, at, winner, upper, leastGroup(p, at, winner), error);
    } else putScored(p, at, winner, norm, best, second, error);
    relabel(p, i, winner);
  }
}
