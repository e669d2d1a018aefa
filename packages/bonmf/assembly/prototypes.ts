// Prototypes prepared for a step, to the bits of kernel/prepared-prototypes.ts.

// The length of m numbers of f64.
@inline function lengthOf(w: usize, m: i32): f64 {
  let sum: f64 = 0;
  for (const end = w + (<usize>m) * 8; w < end; w += 8) sum += load<f64>(w) * load<f64>(w);
  return Math.sqrt(sum);
}

// Rows, from `to` on, become k prototypes of f64, from w on: by angle of length 1, or zeros. Leaves their biases and how far each
// moved, rounded up; returns the largest length, by distance.
@inline export function putRows<T>(w: usize, k: i32, m: i32, byAngle: bool, to: usize, biases: usize, moves: usize): f64 {
  let longest: f64 = 0;
  for (; k > 0; k--, biases += sizeof<T>(), moves += 8) {
    const length = byAngle ? lengthOf(w, m) : 1;
    let step: f64 = 0, square: f64 = 0, was: f64 = 0, is: f64 = 0;
    for (const end = w + (<usize>m) * 8; w < end; w += 8, to += sizeof<T>()) {
      const old = <f64>load<T>(to), value = length == 0 ? 0 : load<f64>(w);
      const next = <T>(length == 1 || length == 0 ? value : value / length);
      const x = <f64>next;
      store<T>(to, next);
      step += (x - old) * (x - old);
      square += x * x;
      was += abs<f64>(old);
      is += abs<f64>(x);
    }
    const bias: T = byAngle ? 0 : <T>(-0.5 * square);
    store<T>(biases, bias);
    longest = max<f64>(longest, Math.sqrt(-2 * <f64>bias));
    // By angle a prototype without a direction is no point of the sphere: between it and any other lies the diameter.
    store<f64>(moves, byAngle && (was == 0) != (is == 0) ? 2 : Math.sqrt(step) * (1 + 1e-9));
  }
  return longest;
}

// Copies a row to one column of a panel.
@inline export function putColumn<T>(row: usize, m: i32, column: usize): void {
  for (const end = row + (<usize>m) * sizeof<T>(); row < end; row += sizeof<T>(), column += 48) store<T>(column, load<T>(row));
}
