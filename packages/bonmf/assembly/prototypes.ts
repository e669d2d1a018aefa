// Prototypes put in place for a step, as kernel/pack.ts would.

import { SCRATCH } from "./tile";

// The length of m numbers of f64.
export function lengthOf(w: usize, m: i32): f64 {
  let sum: f64 = 0;
  for (const end = w + (<usize>m) * 8; w < end; w += 8) sum += load<f64>(w) * load<f64>(w);
  return Math.sqrt(sum);
}

// Row `to` becomes w, m numbers of f64, divided by `length`. Leaves the squares of its step and of itself, and the sums of
// what it was and is.
@inline export function putRow<T>(w: usize, m: i32, length: f64, to: usize): void {
  let step: f64 = 0, square: f64 = 0, was: f64 = 0, is: f64 = 0;
  for (const end = w + (<usize>m) * 8; w < end; w += 8, to += sizeof<T>()) {
    const old = <f64>load<T>(to);
    const next = <T>(length == 1 ? load<f64>(w) : load<f64>(w) / length);
    const x = <f64>next;
    store<T>(to, next);
    step += (x - old) * (x - old);
    square += x * x;
    was += old;
    is += x;
  }
  store<f64>(SCRATCH, step);
  store<f64>(SCRATCH, square, 8);
  store<f64>(SCRATCH, was, 16);
  store<f64>(SCRATCH, is, 24);
}

// One column of a panel becomes a row.
@inline export function putColumn<T>(row: usize, m: i32, column: usize): void {
  for (const end = row + (<usize>m) * sizeof<T>(); row < end; row += sizeof<T>(), column += 48) store<T>(column, load<T>(row));
}
