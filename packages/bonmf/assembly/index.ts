// The hot loops of sweeps, in AssemblyScript. Samples, packed prototypes and bounds lie in linear memory; every
// argument named in capitals or ending in s is a byte address. A score is one accumulator summed in feature order, whatever
// the shape of the block it is computed in, so these loops agree to the bit with kernel/rows.ts.
//
// Prototypes are packed in panels of three vectors (12 columns of f32, 6 of f64), feature after feature: lanes are columns.

import { clear, merge, settle, settleLanes, tighten, tightenLanes } from "./bounds";
import { dotDense, dotSparse, ownDense, ownSparse, shareDense, shareSparse } from "./real";
import { labelDense, labelSparse, scoreDense, scoreSparse } from "./score";
import { move } from "./sums";

export { filter, filterLanes, pick } from "./bounds";
export { nearDense, nearSparse } from "./near";
export { survey32 } from "./survey";

export function scoreDense32(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  scoreDense<f32>(false, X, m, ids, count, panel, bias, labels, best, second, label);
}
export function scoreSparse32(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  scoreSparse<f32>(false, offsets, indices, values, ids, count, panel, bias, labels, best, second, label);
}
export function tighten32(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  return tighten<f32>(sparse, X, indices, values, m, rows, biases, list, count, labels, uppers, lowers, G, norms, angular, e0, e1, e2);
}
export function clear32(best: usize, second: usize, label: usize, count: i32): void {
  clear<f32>(best, second, label, count);
}
export function merge32(picked: i32, g: i32, slots: usize, ids: usize, best: usize, second: usize, label: usize, tops: usize, runners: usize, winners: usize, owners: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): void {
  merge<f32>(picked, g, slots, ids, best, second, label, tops, runners, winners, owners, lowers, G, norms, angular, e0, e1, e2);
}
export function settle32(list: usize, count: i32, tops: usize, runners: usize, winners: usize, owners: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  return settle<f32>(list, count, tops, runners, winners, owners, labels, uppers, lowers, G, norms, angular, e0, e1, e2, moved);
}
export function move32(sparse: bool, X: usize, indices: usize, values: usize, m: i32, moved: usize, count: i32, labels: usize, scales: usize, C: usize, S: usize): void {
  move<f32>(sparse, X, indices, values, m, moved, count, labels, scales, C, S);
}
export function scoreDense64(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  scoreDense<f64>(false, X, m, ids, count, panel, bias, labels, best, second, label);
}
export function scoreSparse64(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, labels: usize, best: usize, second: usize, label: usize): void {
  scoreSparse<f64>(false, offsets, indices, values, ids, count, panel, bias, labels, best, second, label);
}
export function tighten64(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  return tighten<f64>(sparse, X, indices, values, m, rows, biases, list, count, labels, uppers, lowers, G, norms, angular, e0, e1, e2);
}
export function clear64(best: usize, second: usize, label: usize, count: i32): void {
  clear<f64>(best, second, label, count);
}
export function merge64(picked: i32, g: i32, slots: usize, ids: usize, best: usize, second: usize, label: usize, tops: usize, runners: usize, winners: usize, owners: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): void {
  merge<f64>(picked, g, slots, ids, best, second, label, tops, runners, winners, owners, lowers, G, norms, angular, e0, e1, e2);
}
export function settle64(list: usize, count: i32, tops: usize, runners: usize, winners: usize, owners: usize, labels: usize, uppers: usize, lowers: usize, G: i32, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  return settle<f64>(list, count, tops, runners, winners, owners, labels, uppers, lowers, G, norms, angular, e0, e1, e2, moved);
}
export function move64(sparse: bool, X: usize, indices: usize, values: usize, m: i32, moved: usize, count: i32, labels: usize, scales: usize, C: usize, S: usize): void {
  move<f64>(sparse, X, indices, values, m, moved, count, labels, scales, C, S);
}
export function dotDense32(X: usize, m: i32, count: i32, panel: usize, out: usize, stride: usize): void {
  dotDense<f32>(X, m, count, panel, out, stride);
}
export function dotSparse32(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, out: usize, stride: usize): void {
  dotSparse<f32>(offsets, indices, values, count, panel, out, stride);
}
export function ownDense32(X: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void {
  ownDense<f32>(X, m, count, W, labels, out);
}
export function ownSparse32(offsets: usize, indices: usize, values: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void {
  ownSparse<f32>(offsets, indices, values, m, count, W, labels, out);
}
export function shareDense32(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize, list: usize): void {
  shareDense<f32>(X, m, count, shares, k, S, list);
}
export function shareSparse32(offsets: usize, indices: usize, values: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void {
  shareSparse<f32>(offsets, indices, values, m, count, shares, k, S);
}
export function dotDense64(X: usize, m: i32, count: i32, panel: usize, out: usize, stride: usize): void {
  dotDense<f64>(X, m, count, panel, out, stride);
}
export function dotSparse64(offsets: usize, indices: usize, values: usize, count: i32, panel: usize, out: usize, stride: usize): void {
  dotSparse<f64>(offsets, indices, values, count, panel, out, stride);
}
export function ownDense64(X: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void {
  ownDense<f64>(X, m, count, W, labels, out);
}
export function ownSparse64(offsets: usize, indices: usize, values: usize, m: i32, count: i32, W: usize, labels: usize, out: usize): void {
  ownSparse<f64>(offsets, indices, values, m, count, W, labels, out);
}
export function shareDense64(X: usize, m: i32, count: i32, shares: usize, k: i32, S: usize, list: usize): void {
  shareDense<f64>(X, m, count, shares, k, S, list);
}
export function shareSparse64(offsets: usize, indices: usize, values: usize, m: i32, count: i32, shares: usize, k: i32, S: usize): void {
  shareSparse<f64>(offsets, indices, values, m, count, shares, k, S);
}
export function lanesDense32(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, scores: usize): void {
  scoreDense<f32>(true, X, m, ids, count, panel, bias, 0, scores, 0, 0);
}
export function lanesSparse32(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, scores: usize): void {
  scoreSparse<f32>(true, offsets, indices, values, ids, count, panel, bias, 0, scores, 0, 0);
}
export function lanesDense64(X: usize, m: i32, ids: usize, count: i32, panel: usize, bias: usize, scores: usize): void {
  scoreDense<f64>(true, X, m, ids, count, panel, bias, 0, scores, 0, 0);
}
export function lanesSparse64(offsets: usize, indices: usize, values: usize, ids: usize, count: i32, panel: usize, bias: usize, scores: usize): void {
  scoreSparse<f64>(true, offsets, indices, values, ids, count, panel, bias, 0, scores, 0, 0);
}
export function labelDense32(X: usize, m: i32, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  return labelDense<f32>(X, m, from, to, panel, bias, labels, moved);
}
export function labelSparse32(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  return labelSparse<f32>(offsets, indices, values, from, to, panel, bias, labels, moved);
}
export function labelDense64(X: usize, m: i32, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  return labelDense<f64>(X, m, from, to, panel, bias, labels, moved);
}
export function labelSparse64(offsets: usize, indices: usize, values: usize, from: i32, to: i32, panel: usize, bias: usize, labels: usize, moved: usize): i32 {
  return labelSparse<f64>(offsets, indices, values, from, to, panel, bias, labels, moved);
}
export function tightenLanes32(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, ups: usize, slack: f64, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  return tightenLanes<f32>(sparse, X, indices, values, m, rows, biases, list, count, labels, uppers, lowers, L, ways, ups, slack, norms, angular, e0, e1, e2);
}
export function settleLanes32(list: usize, count: i32, scores: usize, k: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, downs: usize, slack: f64, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  return settleLanes<f32>(list, count, scores, k, labels, uppers, lowers, L, ways, downs, slack, norms, angular, e0, e1, e2, moved);
}
export function tightenLanes64(sparse: bool, X: usize, indices: usize, values: usize, m: i32, rows: usize, biases: usize, list: usize, count: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, ups: usize, slack: f64, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64): i32 {
  return tightenLanes<f64>(sparse, X, indices, values, m, rows, biases, list, count, labels, uppers, lowers, L, ways, ups, slack, norms, angular, e0, e1, e2);
}
export function settleLanes64(list: usize, count: i32, scores: usize, k: i32, labels: usize, uppers: usize, lowers: usize, L: i32, ways: usize, downs: usize, slack: f64, norms: usize, angular: bool, e0: f64, e1: f64, e2: f64, moved: usize): i32 {
  return settleLanes<f64>(list, count, scores, k, labels, uppers, lowers, L, ways, downs, slack, norms, angular, e0, e1, e2, moved);
}
