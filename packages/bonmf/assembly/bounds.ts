// Bounds that spare most scores.

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

@inline function dotSparse<T>(offsets: usize, indices: usize, values: usize, i: usize, w: usize): f64 {
  const size = sizeof<T>();
  let sum: f64 = 0;
  const end = <usize>load<u32>(offsets + i * 4, 4);
  for (let p = <usize>load<u32>(offsets + i * 4); p < end; p++) {
    sum += <f64>load<T>(values + p * size) * <f64>load<T>(w + (<usize>load<u32>(indices + p * 4)) * size);
  }
  return sum;
}

// Squared distances are base − 2·score·inverse: of unit vectors (by angle: base 2, inverse 1/‖x‖) or of points (base
// ‖x‖², inverse 1). `errorOf` bounds what rounding can do to one.
@inline function baseOf(angular: bool, norm: f64): f64 { return angular ? 2 : norm * norm; }
@inline function inverseOf(angular: bool, norm: f64): f64 { return angular ? (norm > 0 ? 1 / norm : 0) : 1; }
@inline function errorOf(e0: f64, e1: f64, e2: f64, norm: f64): f64 { return e0 + (e1 + e2 * norm) * norm; }

const NONE: u32 = 0xffffffff;
const UP: f64 = 1 + 2.4e-7;
const DOWN: f64 = 1 - 2.4e-7;

@inline function upperOf(angular: bool, norm: f64, score: f64, error: f64): f32 {
  const d = baseOf(angular, norm) - 2 * score * inverseOf(angular, norm);
  return <f32>(Math.sqrt(max<f64>(0, d) + error) * UP);
}
@inline function lowerOf(angular: bool, norm: f64, score: f64, error: f64): f32 {
  const d = baseOf(angular, norm) - 2 * score * inverseOf(angular, norm);
  return <f32>(Math.sqrt(max<f64>(0, d - error)) * DOWN);
}
// No other prototype can score as high: even with both scores off by `error` the order stands.
@inline function isSafe(upper: f64, lower: f64, error: f64): bool {
  return lower > upper && lower * lower - upper * upper > 2 * error;
}

// Moves the bounds of samples from … to − 1 by the prototypes' drifts and lists the samples whose label is not certain.
// drifts: f64 × k; groups: f64 × 3 a group (largest drift, whose, second largest).
export function filter(from: i32, to: i32, labels: usize, uppers: usize, lowers: usize, G: i32, drifts: usize, groups: usize, norms: usize, e0: f64, e1: f64, e2: f64, list: usize): i32 {
  let count: i32 = 0;
  for (let i = from; i < to; i++) {
    const at = <usize>i;
    const label = <usize>load<u32>(labels + at * 4);
    const upper = (<f64>load<f32>(uppers + at * 4) + load<f64>(drifts + label * 8)) * UP;
    store<f32>(uppers + at * 4, <f32>upper);
    let least: f64 = Infinity;
    for (let g: i32 = 0; g < G; g++) {
      const group = groups + (<usize>g) * 24;
      const drift = <f64>label == load<f64>(group, 8) ? load<f64>(group, 16) : load<f64>(group);
      const cell = lowers + (at * <usize>G + <usize>g) * 4;
      const lower = (<f64>load<f32>(cell) - drift) * DOWN;
      store<f32>(cell, <f32>max<f64>(0, lower));
      least = min<f64>(least, lower);
    }
    if (!isSafe(upper, least, errorOf(e0, e1, e2, load<f64>(norms + at * 8)))) store<u32>(list + (<usize>(count++)) * 4, i);
  }
  return count;
}

@inline function leastLower(lowers: usize, i: usize, G: i32): f64 {
  let least: f64 = Infinity;
  for (let g: i32 = 0; g < G; g++) least = min<f64>(least, <f64>load<f32>(lowers + (i * <usize>G + <usize>g) * 4));
  return least;
}

// The upper bound of a sample from the product with its own prototype.
@inline function ownUpper<T>(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, at: usize, label: usize, norm: f64, angular: bool, error: f64): f32 {
  const size = sizeof<T>();
  const w = rows + label * (<usize>m) * size;
  const dot = sparse ? dotSparse<T>(X, indices, values, at, w) : dotDense<T>(X + at * (<usize>m) * size, w, m);
  return upperOf(angular, norm, dot + <f64>load<T>(biases + label * size), error);
}

@inline export function tighten<T>(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  let left: i32 = 0;
  for (let s: i32 = 0; s < count; s++) {
    const i = load<u32>(list + (<usize>s) * 4);
    const at = <usize>i;
    const label = <usize>load<u32>(labels + at * 4);
    const norm = load<f64>(norms + at * 8);
    const error = errorOf(e0, e1, e2, norm);
    const upper = ownUpper<T>(sparse, X, indices, values, m, rows, biases, at, label, norm, angular, error);
    store<f32>(uppers + at * 4, upper);
    if (!isSafe(<f64>upper, leastLower(lowers, at, G), error)) store<u32>(list + (<usize>(left++)) * 4, i);
  }
  return left;
}

// Of the listed samples, those that group g may hold a better prototype for: slots (places in the list) and ids.
export function pick(list: usize, count: i32, g: i32, groupOf: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, e0: f64, e1: f64, e2: f64, slots: usize, ids: usize): i32 {
  let picked: i32 = 0;
  for (let s: i32 = 0; s < count; s++) {
    const i = load<u32>(list + (<usize>s) * 4);
    const at = <usize>i;
    const label = load<u32>(labels + at * 4);
    const lower = <f64>load<f32>(lowers + (at * <usize>G + <usize>g) * 4);
    const own = label != NONE && load<u32>(groupOf + (<usize>label) * 4) == g;
    if (own || !isSafe(<f64>load<f32>(uppers + at * 4), lower, errorOf(e0, e1, e2, load<f64>(norms + at * 8)))) {
      store<u32>(slots + (<usize>picked) * 4, s);
      store<u32>(ids + (<usize>(picked++)) * 4, i);
    }
  }
  return picked;
}

// Clears `count` running results.
@inline export function clear<T>(best: usize, second: usize, label: usize, count: i32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    store<T>(best + s * sizeof<T>(), <T>-Infinity);
    store<T>(second + s * sizeof<T>(), <T>-Infinity);
    store<u32>(label + s * 4, 0);
  }
}

// Takes a group's results into the listed samples' running ones and resets the group's lower bounds for everything but
// the group's own best; `settle` corrects those of the winner.
@inline export function merge<T>(picked: i32, g: i32, slots: usize, ids: usize, best: usize, second: usize, label: usize, tops: usize, runners: usize, winners: usize, owners: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): void {
  const size = sizeof<T>();
  for (let p: usize = 0; p < <usize>picked; p++) {
    const s = <usize>load<u32>(slots + p * 4);
    const at = <usize>load<u32>(ids + p * 4);
    const norm = load<f64>(norms + at * 8);
    const score = load<T>(best + p * size);
    store<f32>(lowers + (at * <usize>G + <usize>g) * 4, lowerOf(angular, norm, <f64>score, errorOf(e0, e1, e2, norm)));
    const top = load<T>(tops + s * size);
    if (score > top || (score == top && load<u32>(label + p * 4) < load<u32>(winners + s * 4))) {
      store<T>(tops + s * size, score);
      store<T>(runners + s * size, load<T>(second + p * size));
      store<u32>(winners + s * 4, load<u32>(label + p * 4));
      store<u32>(owners + s * 4, g);
    }
  }
}

// Gives every listed sample its label and bounds; lists those that changed with their old label. Returns how many.
@inline export function settle<T>(list: usize, count: i32, tops: usize, runners: usize, winners: usize, owners: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  const size = sizeof<T>();
  let changed: i32 = 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = load<u32>(list + s * 4);
    const at = <usize>i;
    const norm = load<f64>(norms + at * 8);
    const error = errorOf(e0, e1, e2, norm);
    store<f32>(uppers + at * 4, upperOf(angular, norm, <f64>load<T>(tops + s * size), error));
    const cell = lowers + (at * <usize>G + <usize>load<u32>(owners + s * 4)) * 4;
    store<f32>(cell, lowerOf(angular, norm, <f64>load<T>(runners + s * size), error));
    const winner = load<u32>(winners + s * 4);
    const old = load<u32>(labels + at * 4);
    if (winner != old) {
      store<u32>(labels + at * 4, winner);
      store<u32>(moved + (<usize>changed) * 8, i);
      store<u32>(moved + (<usize>(changed++)) * 8, old, 4);
    }
  }
  return changed;
}


// One panel, a lower bound for each prototype. The bounds are kept as they were when set, plus how far the prototype had
// come by then; so a prototype's move changes one number and no bound. L lanes, k rounded up to whole vectors of f32; ups
// and downs are f32 × L, the ways of the prototypes rounded up and down, ways f64 × k; `slack` covers the rounding of stored
// bounds.

@inline function leastLane(cells: usize, L: i32, ups: usize): f64 {
  let v = f32x4.sub(v128.load(cells), v128.load(ups));
  if (L > 4) v = f32x4.min(v, f32x4.sub(v128.load(cells, 16), v128.load(ups, 16)));
  if (L > 8) v = f32x4.min(v, f32x4.sub(v128.load(cells, 32), v128.load(ups, 32)));
  v = f32x4.min(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return <f64>min<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1));
}

// Lists the samples from … to − 1 whose label is not certain.
export function filterLanes(from: i32, to: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, ups: usize, slack: f64, norms: usize, e0: f64, e1: f64, e2: f64, list: usize): i32 {
  let count: i32 = 0;
  for (let i = from; i < to; i++) {
    const at = <usize>i;
    const upper = <f64>load<f32>(uppers + at * 4) + load<f64>(ways + (<usize>load<u32>(labels + at * 4)) * 8);
    const lower = leastLane(lowers + at * (<usize>L) * 4, L, ups) - slack;
    if (!isSafe(upper, lower, errorOf(e0, e1, e2, load<f64>(norms + at * 8)))) store<u32>(list + (<usize>(count++)) * 4, i);
  }
  return count;
}

@inline export function tightenLanes<T>(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, ups: usize, slack: f64, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  let left: i32 = 0;
  for (let s: i32 = 0; s < count; s++) {
    const i = load<u32>(list + (<usize>s) * 4);
    const at = <usize>i;
    const label = <usize>load<u32>(labels + at * 4);
    const norm = load<f64>(norms + at * 8);
    const error = errorOf(e0, e1, e2, norm);
    const upper = <f64>ownUpper<T>(sparse, X, indices, values, m, rows, biases, at, label, norm, angular, error);
    store<f32>(uppers + at * 4, <f32>(upper + slack - load<f64>(ways + label * 8)));
    const lower = leastLane(lowers + at * (<usize>L) * 4, L, ups) - slack;
    if (!isSafe(upper, lower, error)) store<u32>(list + (<usize>(left++)) * 4, i);
  }
  return left;
}

// Gives every listed sample its label and bounds from all its scores; its own prototype's bound is out of the question.
@inline export function settleLanes<T>(list: usize, count: i32, scores: usize, k: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, downs: usize, slack: f64, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  let changed: i32 = 0;
  for (let s: usize = 0; s < <usize>count; s++) {
    const i = load<u32>(list + s * 4);
    const at = <usize>i;
    const row = scores + s * 48;
    let top = load<T>(row);
    let winner: u32 = 0;
    for (let j: i32 = 1; j < k; j++) {
      const score = load<T>(row + (<usize>j) * sizeof<T>());
      if (score > top) { top = score; winner = j; }
    }
    const norm = load<f64>(norms + at * 8);
    const error = errorOf(e0, e1, e2, norm);
    const upper = <f64>upperOf(angular, norm, <f64>top, error);
    store<f32>(uppers + at * 4, <f32>(upper + slack - load<f64>(ways + (<usize>winner) * 8)));
    const cells = lowers + at * (<usize>L) * 4;
    if (sizeof<T>() == 4) {
      // In f32 the subtraction loses up to a few ulps of its terms, which are at most 3 × base.
      const base = baseOf(angular, norm);
      const bases = f32x4.splat(<f32>(base * DOWN - error - base * 1e-6));
      const twice = f32x4.splat(<f32>(-2 * inverseOf(angular, norm)));
      const zero = f32x4.splat(0), less = f32x4.splat(<f32>DOWN);
      for (let v: usize = 0; v < <usize>L * 4; v += 16) {
        const d = f32x4.max(zero, f32x4.add(bases, f32x4.mul(twice, v128.load(row + v))));
        v128.store(cells + v, f32x4.mul(less, f32x4.add(f32x4.mul(less, f32x4.sqrt(d)), v128.load(downs + v))));
      }
    } else {
      for (let j: i32 = 0; j < k; j++) {
        const lower = <f64>lowerOf(angular, norm, <f64>load<T>(row + (<usize>j) * sizeof<T>()), error);
        store<f32>(cells + (<usize>j) * 4, <f32>((lower + <f64>load<f32>(downs + (<usize>j) * 4)) * DOWN));
      }
      for (let j = k; j < L; j++) store<f32>(cells + (<usize>j) * 4, f32.MAX_VALUE);
    }
    store<f32>(cells + (<usize>winner) * 4, f32.MAX_VALUE);
    const old = load<u32>(labels + at * 4);
    if (winner != old) {
      store<u32>(labels + at * 4, winner);
      store<u32>(moved + (<usize>changed) * 8, i);
      store<u32>(moved + (<usize>(changed++)) * 8, old, 4);
    }
  }
  return changed;
}
