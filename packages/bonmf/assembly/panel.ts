// The inner loop of everything dense: two samples of T against one panel of three vectors of A, each score one accumulator
// summed in feature order. Two by three is what V8's fifteen vector registers hold without spilling, since it loads all
// operands of an iteration first: a spilled accumulator waits for its own store in every iteration, which halves the speed.

// Working memory of one thread: several threads may share a memory.
export let SCRATCH: usize = 64;
export function useScratch(at: usize): void { SCRATCH = at; }

// One value in every lane.
@inline export function splat<T, A>(x: usize): v128 {
  if (sizeof<T>() == sizeof<A>()) return v128.load_splat<A>(x);
  return f64x2.promote_low_f32x4(v128.load32_splat(x));
}

@inline export function addTo<A>(sum: v128, a: v128, b: v128): v128 { return v128.add<A>(sum, v128.mul<A>(a, b)); }

@inline export function putThree(out: usize, a: v128, b: v128, c: v128): void {
  v128.store(out, a);
  v128.store(out, b, 16);
  v128.store(out, c, 32);
}

@inline function tileSix<T, A>(x: usize, y: usize, row: usize, panel: usize, a0: v128, a1: v128, a2: v128, b0: v128, b1: v128, b2: v128, first: usize, second: usize): void {
  const size = sizeof<T>();
  const end = x + row;
  while (x < end) {
    const w0 = v128.load(panel), w1 = v128.load(panel, 16), w2 = v128.load(panel, 32);
    const v = splat<T, A>(x);
    a0 = addTo<A>(a0, v, w0); a1 = addTo<A>(a1, v, w1); a2 = addTo<A>(a2, v, w2);
    const u = splat<T, A>(y);
    b0 = addTo<A>(b0, u, w0); b1 = addTo<A>(b1, u, w1); b2 = addTo<A>(b2, u, w2);
    x += size; y += size; panel += 48;
  }
  putThree(first, a0, a1, a2);
  putThree(second, b0, b1, b2);
}

// The scores of the samples at x and y go to `first` and `second`, 48 bytes each.
@inline export function tilePair<T, A>(x: usize, y: usize, row: usize, panel: usize, p: v128, q: v128, r: v128, first: usize, second: usize): void {
  tileSix<T, A>(x, y, row, panel, p, q, r, p, q, r, first, second);
}

// The same, added to what `first` and `second` hold.
@inline export function tileOn<T, A>(x: usize, y: usize, row: usize, panel: usize, first: usize, second: usize): void {
  const a0 = v128.load(first), a1 = v128.load(first, 16), a2 = v128.load(first, 32);
  const b0 = v128.load(second), b1 = v128.load(second, 16), b2 = v128.load(second, 32);
  tileSix<T, A>(x, y, row, panel, a0, a1, a2, b0, b1, b2, first, second);
}

@inline export function tileOne<T, A>(x: usize, row: usize, panel: usize, p: v128, q: v128, r: v128, out: usize): void {
  const end = x + row;
  let a = p, b = q, c = r;
  for (; x < end; x += sizeof<T>(), panel += 48) {
    const v = splat<T, A>(x);
    a = addTo<A>(a, v, v128.load(panel));
    b = addTo<A>(b, v, v128.load(panel, 16));
    c = addTo<A>(c, v, v128.load(panel, 32));
  }
  putThree(out, a, b, c);
}

// The same without the zeros: values p … end − 1 of a sparse sample.
@inline export function tileSparse<T, A>(at: usize, end: usize, indices: usize, values: usize, panel: usize, p: v128, q: v128, r: v128, out: usize): void {
  let a = p, b = q, c = r;
  for (; at < end; at++) {
    const w = panel + (<usize>load<u32>(indices + at * 4)) * 48;
    const v = splat<T, A>(values + at * sizeof<T>());
    a = addTo<A>(a, v, v128.load(w));
    b = addTo<A>(b, v, v128.load(w, 16));
    c = addTo<A>(c, v, v128.load(w, 32));
  }
  putThree(out, a, b, c);
}

// The same for two panels, `apart` bytes from each other, whose biases follow one another and so do the results.
@inline export function tileSparseTwo<T, A>(at: usize, end: usize, indices: usize, values: usize, panel: usize, apart: usize, bias: usize, out: usize): void {
  let a = v128.load(bias), b = v128.load(bias, 16), c = v128.load(bias, 32);
  let d = v128.load(bias, 48), e = v128.load(bias, 64), f = v128.load(bias, 80);
  for (; at < end; at++) {
    const w = panel + (<usize>load<u32>(indices + at * 4)) * 48;
    const v = splat<T, A>(values + at * sizeof<T>());
    a = addTo<A>(a, v, v128.load(w));
    b = addTo<A>(b, v, v128.load(w, 16));
    c = addTo<A>(c, v, v128.load(w, 32));
    d = addTo<A>(d, v, v128.load(w + apart));
    e = addTo<A>(e, v, v128.load(w + apart, 16));
    f = addTo<A>(f, v, v128.load(w + apart, 32));
  }
  putThree(out, a, b, c);
  putThree(out + 48, d, e, f);
}
