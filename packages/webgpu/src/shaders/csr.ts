import { labelling } from "./labelling.js";
import { settling } from "./settling.js";
import { LOWEST } from "./task.js";

/** Samples of a workgroup. */
export const CSR_GROUP = 64;

/**
 * Samples in CSR format: side by side as many threads as there are vectors of four prototypes, up to 64, score a sample; in what is left of the 64
 * threads, other samples. W is feature after feature, so that neighbours read neighbours.
 */
export const CSR_LABELS = /* wgsl */ `
${labelling(true)}
var<workgroup> tops: array<vec2f, 64>;
var<workgroup> winners: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {
  let end = countListed(t);
  let start = task.begin + group.x * ${CSR_GROUP}u;
  if (start >= end) { return; }
  let vectors = (task.k + 3u) / 4u;
  let width = 16u * task.tiles;
  var wide = 64u;
  while (wide / 2u >= vectors) { wide /= 2u; }
  let lane = t % wide;
  for (var round = 0u; round < wide; round++) {
    let at = start + round * (64u / wide) + t / wide;
    let inside = at < end;
    var i = 0u;
    var top = vec2f(${LOWEST}, ${LOWEST});
    var winner = 0u;
    if (inside) {
      i = sampleAt(at);
      let stop = offsets[i + 1u];
      for (var v = lane; v < vectors; v += wide) {
        var s = vec4f();
        for (var p = offsets[i]; p < stop; p++) {
          let x = X[p];
          s = fma(vec4f(bitcast<f32>(x.y)), W[x.x * width + v], s);
        }
        s += vec4f(bias[4u * v], bias[4u * v + 1u], bias[4u * v + 2u], bias[4u * v + 3u]);
        for (var c = 0u; c < 4u; c++) {
          winner = select(winner, 4u * v + c, s[c] > top.x);
          top = vec2f(max(top.x, s[c]), max(top.y, min(top.x, s[c])));
        }
      }
    }
    for (var half = wide / 2u; half > 0u; half /= 2u) {
      tops[t] = top;
      winners[t] = winner;
      workgroupBarrier();
      if (lane < half) {
        let other = tops[t + half];
        winner = select(winner, winners[t + half], other.x > top.x);
        top = vec2f(max(top.x, other.x), max(min(top.x, other.x), max(top.y, other.y)));
      }
      workgroupBarrier();
    }
    if (inside && lane == 0u) { label(i, top.x, top.y, winner); }
  }
}
`;

/** What settle.ts does, for samples in CSR format: a workgroup takes a sample, a thread every 64th prototype. */
export const CSR_SETTLE = /* wgsl */ `
${settling(true, 64)}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  let all = countDoubts(group.x, t);
  let width = 64u * task.tiles;
  for (var d = group.x; d < all; d += groups.x) {
    let i = doubts[2u * d];
    let least = leastScore(i, bitcast<f32>(doubts[2u * d + 1u]));
    let begin = offsets[i];
    let end = offsets[i + 1u];
    var top = 0u;
    var winner = NONE;
    for (var j = t; j < task.k; j += 64u) {
      var score = bias[j];
      for (var p = begin; p < end; p++) { score += bitcast<f32>(X[p].y) * W[X[p].x * width + j]; }
      if (score < least) { continue; }
      var sum = bitcast<u32>(bias[j]);
      for (var p = begin; p < end; p++) {
        let product = multiply(X[p].y, bitcast<u32>(W[X[p].x * width + j]));
        if ((product & 0x7fffffffu) != 0u) { sum = plus(sum, product); }
      }
      let own = rank(sum);
      if (winner == NONE || own > top) {
        top = own;
        winner = j;
      }
    }
    settle(i, t, top, winner);
  }
}
`;
