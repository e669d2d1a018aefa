// kernel/plain/nnls.ts for many samples, every sum in the same order. The factor L of the free block is kept transposed: entries
// that a sum over the factor's columns runs through lie together, and lanes are rows.

// b − G·h for eight entries from r on: G (symmetric) by its rows of the `count` free entries, whose numbers are in `free`.
@inline function descend(G: usize, wide: usize, b: usize, free: usize, held: usize, count: i32, to: usize): void {
  let p = v128.load(b), q = v128.load(b, 16), r = v128.load(b, 32), s = v128.load(b, 48);
  for (; count > 0; count--, free += 4, held += 8) {
    const g = G + wide * <usize>load<u32>(free);
    const h = v128.load64_splat(held);
    p = f64x2.sub(p, f64x2.mul(v128.load(g), h));
    q = f64x2.sub(q, f64x2.mul(v128.load(g, 16), h));
    r = f64x2.sub(r, f64x2.mul(v128.load(g, 32), h));
    s = f64x2.sub(s, f64x2.mul(v128.load(g, 48), h));
  }
  v128.store(to, p);
  v128.store(to, q, 16);
  v128.store(to, r, 32);
  v128.store(to, s, 48);
}

// Row i of L, and entry i of b brought through it; false where the row depends on those before.
@inline function factorRow(G: usize, wide: usize, b: usize, free: usize, i: usize, L: usize, y: usize, sums: usize): bool {
  const own = <usize>load<u32>(free + i * 4);
  const g = G + wide * own;
  for (let j: usize = 0; j <= i; j++) store<f64>(sums + j * 8, load<f64>(g + 8 * <usize>load<u32>(free + j * 4)));
  let rest = load<f64>(b + own * 8);
  let column = L;
  for (let t: usize = 0; t < i; t++, column += wide) {
    const value = load<f64>(sums + t * 8) / load<f64>(column + t * 8);
    store<f64>(column + i * 8, value);
    rest -= value * load<f64>(y + t * 8);
    const v = f64x2.splat(value);
    // From an even entry on: the one before is done with.
    for (let j = (t + 1) & ~1; j <= i; j += 2) {
      const at = sums + j * 8;
      v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(v, v128.load(column + j * 8))));
    }
  }
  const last = load<f64>(sums + i * 8);
  if (last <= 1e-12 * load<f64>(g + own * 8)) return false;
  const root = sqrt<f64>(last);
  store<f64>(column + i * 8, root);
  store<f64>(y + i * 8, rest / root);
  return true;
}

@inline function solveBack(n: usize, wide: usize, L: usize, y: usize, target: usize): void {
  for (let i = n; i-- > 0; ) {
    const column = L + i * wide;
    let sum = load<f64>(y + i * 8);
    for (let t = i + 1; t < n; t++) sum -= load<f64>(column + t * 8) * load<f64>(target + t * 8);
    store<f64>(target + i * 8, sum / load<f64>(column + i * 8));
  }
}

// The largest descent among the entries that are not free, or −1.
@inline function steepestOf(G: usize, wide: usize, k: i32, slack: f64, isFree: usize, descents: usize): i32 {
  let enter = -1;
  for (let r: usize = 0; r < <usize>k; r++) {
    const descent = load<f64>(descents + r * 8);
    if (!(descent > slack) || load<u8>(isFree + r) || load<f64>(G + r * (wide + 8)) <= 0) continue;
    slack = descent;
    enter = <i32>r;
  }
  return enter;
}

// H (count × k) from b = WtX (count × k) and G (k × k). `scratch`: 8(k² + 6(k + 8)) bytes.
export function solveAll(G: usize, k: i32, count: i32, b: usize, H: usize, scratch: usize): void {
  const wide = (<usize>k) * 8, line = wide + 64;
  const held = scratch, y = held + line, target = y + line, sums = target + line, descents = sums + line;
  const free = descents + line, isFree = free + line / 2, L = free + line;
  memory.fill(H, 0, wide * <usize>count);
  for (; count > 0; count--, b += wide, H += wide) {
    memory.fill(isFree, 0, <usize>k);
    let scale: f64 = 0;
    for (let r: usize = 0; r < wide; r += 8) scale = max<f64>(scale, abs<f64>(load<f64>(b + r)));
    const slack = 1e-13 * <f64>k * scale;
    let n: usize = 0;
    for (let round = 0; round < 3 * k + 10; round++) {
      for (let r: usize = 0; r < wide; r += 64) descend(G + r, wide, b + r, free, held, <i32>n, descents + r);
      const enter = steepestOf(G, wide, k, slack, isFree, descents);
      if (enter < 0) break;
      store<u32>(free + n * 4, enter);
      store<f64>(held + n * 8, 0);
      store<u8>(isFree + <usize>enter, 1);
      let known = n++;
      let singular = false;
      while (n > 0) {
        for (; known < n && !singular; known++) singular = !factorRow(G, wide, b, free, known, L, y, sums);
        if (singular) break;
        solveBack(n, wide, L, y, target);
        let step: f64 = 1;
        let leave: i32 = -1;
        for (let t: usize = 0; t < n; t++) {
          const goal = load<f64>(target + t * 8), h = load<f64>(held + t * 8);
          if (goal > 0) continue;
          const share = h > 0 ? h / (h - goal) : 0;
          if (share < step || leave < 0) {
            step = share;
            leave = <i32>t;
          }
        }
        for (let t: usize = 0; t < n; t++) {
          const h = load<f64>(held + t * 8);
          store<f64>(held + t * 8, h + step * (load<f64>(target + t * 8) - h));
        }
        if (leave < 0) break;
        known = <usize>leave;
        store<u8>(isFree + <usize>load<u32>(free + known * 4), 0);
        n--;
        memory.copy(free + known * 4, free + known * 4 + 4, (n - known) * 4);
        memory.copy(held + known * 8, held + known * 8 + 8, (n - known) * 8);
      }
      if (!singular) continue;
      // The newcomer depends on those already free: it cannot lower the error.
      n--;
      break;
    }
    for (let t: usize = 0; t < n; t++) store<f64>(H + 8 * <usize>load<u32>(free + t * 4), load<f64>(held + t * 8));
  }
}
