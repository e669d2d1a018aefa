// The hot loops of sweeps, in AssemblyScript. Samples, packed prototypes and bounds lie in linear memory; every
// argument named in capitals or ending in s is a byte address, and so is a Plan. A score is one accumulator summed in
// feature order, whatever the shape of the block it is computed in, so these loops agree to the bit with kernel/plain/rows.ts.
//
// Prototypes are packed in panels of three vectors (12 columns of f32, 6 of f64), feature after feature: lanes are columns.

import { clear, markOwn, merge, settle, tighten } from "./bounds";
import { Deck, Plan } from "./structs";
import { putColumn, putRows } from "./prototypes";
import { dotDense, dotSparse, dotTwoSparse, ownDense, ownSparse, shareDense, shareSparse } from "./products";
import { scoreGroup } from "./score";
import { move } from "./sums";
import { decide, sweep } from "./sweep";

export { listAll, markOthers, pick, sift } from "./bounds";
export { encode } from "./int16-screen";
export { cycleCodes } from "./cyclic";
export { draw } from "./threefry";
export { searchSparse } from "./neighbors/sparse-search";
export { layTiles32, layTiles64, linkEqual32, linkEqual64, measureResiduals32, measureResiduals64, sortMembers32, sortMembers64, sumMembers32, sumMembers64 } from "./neighbors/member-tiles";
export { normalizeQueries32, normalizeQueries64 } from "./neighbors/layout";
export { searchScreen32, searchScreen64 } from "./neighbors/search";
export { dotNarrowDense32, dotNarrowSparse32, narrow, shareNarrowDense32, shareNarrowSparse32, shareRows64, widen } from "./float32-products";
export { solveAll } from "./nnls";
export { multiplyCodes, raise } from "./products";
export { spread32 } from "./csr-to-dense";
export { squeeze32 } from "./dense-to-csr";
export { useScratch } from "./panel";
export { surveyDense32, surveySparse32 } from "./survey";

export function scoreGroup32(d: Deck, g: i32, ids: usize, count: i32, best: usize, second: usize, label: usize): void { scoreGroup<f32>(d, g, ids, count, best, second, label); }
export function decide32(p: Plan, count: i32): void { decide<f32>(p, count); }
export function sweep32(p: Plan, from: i32, to: i32): i32 { return sweep<f32>(p, from, to); }
export function clear32(best: usize, second: usize, label: usize, count: i32): void { clear<f32>(best, second, label, count); }
export function tighten32(p: Plan, count: i32): i32 { return tighten<f32>(p, count); }
export function markOwn32(p: Plan, count: i32): void { markOwn<f32>(p, count); }
export function merge32(p: Plan, picked: i32, g: i32): void { merge<f32>(p, picked, g); }
export function settle32(p: Plan, count: i32): void { settle<f32>(p, count); }
export function move32(p: Plan, first: u32): void { move<f32>(p, first); }
export function putRows32(w: usize, k: i32, m: i32, byAngle: bool, to: usize, biases: usize, moves: usize): f64 { return putRows<f32>(w, k, m, byAngle, to, biases, moves); }
export function putColumn32(row: usize, m: i32, column: usize): void { putColumn<f32>(row, m, column); }
export function dotDense32(X: usize, m: i32, count: i32, panel: usize, out: usize, stride: usize): void { dotDense<f32>(X, m, count, panel, out, stride); }
export function dotSparse32(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, out: usize, stride: usize): void { dotSparse<f32>(offsets, indices, values, count, panel, out, stride); }
export function dotTwoSparse32(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, apart: usize, out: usize, stride: usize): void { dotTwoSparse<f32>(offsets, indices, values, count, panel, apart, out, stride); }
export function ownDense32(X: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void { ownDense<f32>(X, m, count, W, labels, out); }
export function ownSparse32(offsets: usize, indices: usize, values: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void { ownSparse<f32>(offsets, indices, values, m, count, W, labels, out); }
export function shareDense32(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void { shareDense<f32>(X, m, count, shares, k, S); }
export function shareSparse32(offsets: usize, indices: usize, values: usize, count: i32, shares: usize, k: i32, S: usize): void { shareSparse<f32>(offsets, indices, values, count, shares, k, S); }

export function scoreGroup64(d: Deck, g: i32, ids: usize, count: i32, best: usize, second: usize, label: usize): void { scoreGroup<f64>(d, g, ids, count, best, second, label); }
export function decide64(p: Plan, count: i32): void { decide<f64>(p, count); }
export function sweep64(p: Plan, from: i32, to: i32): i32 { return sweep<f64>(p, from, to); }
export function clear64(best: usize, second: usize, label: usize, count: i32): void { clear<f64>(best, second, label, count); }
export function tighten64(p: Plan, count: i32): i32 { return tighten<f64>(p, count); }
export function markOwn64(p: Plan, count: i32): void { markOwn<f64>(p, count); }
export function merge64(p: Plan, picked: i32, g: i32): void { merge<f64>(p, picked, g); }
export function settle64(p: Plan, count: i32): void { settle<f64>(p, count); }
export function move64(p: Plan, first: u32): void { move<f64>(p, first); }
export function putRows64(w: usize, k: i32, m: i32, byAngle: bool, to: usize, biases: usize, moves: usize): f64 { return putRows<f64>(w, k, m, byAngle, to, biases, moves); }
export function putColumn64(row: usize, m: i32, column: usize): void { putColumn<f64>(row, m, column); }
export function dotDense64(X: usize, m: i32, count: i32, panel: usize, out: usize, stride: usize): void { dotDense<f64>(X, m, count, panel, out, stride); }
export function dotSparse64(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, out: usize, stride: usize): void { dotSparse<f64>(offsets, indices, values, count, panel, out, stride); }
export function dotTwoSparse64(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, apart: usize, out: usize, stride: usize): void { dotTwoSparse<f64>(offsets, indices, values, count, panel, apart, out, stride); }
export function ownDense64(X: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void { ownDense<f64>(X, m, count, W, labels, out); }
export function ownSparse64(offsets: usize, indices: usize, values: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void { ownSparse<f64>(offsets, indices, values, m, count, W, labels, out); }
export function shareDense64(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void { shareDense<f64>(X, m, count, shares, k, S); }
export function shareSparse64(offsets: usize, indices: usize, values: usize, count: i32, shares: usize, k: i32, S: usize): void { shareSparse<f64>(offsets, indices, values, count, shares, k, S); }
