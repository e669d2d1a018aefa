import { settling } from "./settling.js";

/** Prototypes whose scores are added up side by side. */
const SIDE = 8;

/**
 * Labels in doubt: of the prototypes whose score may be the best, the one with the best score to the letter of the CPU: products
 * and sums rounded to 32 bits, one feature after the other, ties to the lowest label. A workgroup takes a sample. It finds the
 * prototypes in question, 64 at a time; multiplies 64 features at once; and adds in order, a thread for each prototype.
 */
export const SETTLE = /* wgsl */ `
${settling(false, SIDE)}
// Parts of 64 scores, sixteen each, a place apart so that rows begin in different banks.
var<workgroup> parts: array<f32, ${64 * 17}>;
var<workgroup> found: atomic<u32>;
var<workgroup> questioned: u32;
var<workgroup> candidates: array<u32, 64>;
var<workgroup> products: array<u32, ${SIDE * 65}>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  let all = countDoubts(group.x, t);
  let width = 4u * task.quads;
  for (var d = group.x; d < all; d += groups.x) {
    let i = doubts[2u * d];
    let row = i * width;
    let least = leastScore(i, bitcast<f32>(doubts[2u * d + 1u]));
    // Of the prototypes that this thread has added up.
    var top = 0u;
    var winner = NONE;
    for (var begin = 0u; begin < task.k; begin += 64u) {
      if (t == 0u) { atomicStore(&found, 0u); }
      for (var r = 0u; r < 16u; r++) {
        let own = (t >> 4u) * 16u + r;
        if (begin + own >= task.k) { break; }
        var part = 0.0;
        for (var f = t & 15u; f < task.features; f += 16u) { part += X[row + f] * W[(begin + own) * width + f]; }
        parts[own * 17u + (t & 15u)] = part;
      }
      workgroupBarrier();
      if (begin + t < task.k) {
        var score = bias[begin + t];
        for (var o = 0u; o < 16u; o++) { score += parts[t * 17u + o]; }
        if (score >= least) { candidates[atomicAdd(&found, 1u)] = begin + t; }
      }
      workgroupBarrier();
      if (t == 0u) { questioned = atomicLoad(&found); }
      let questions = workgroupUniformLoad(&questioned);
      for (var c = 0u; c < questions; c += ${SIDE}u) {
        let side = min(questions - c, ${SIDE}u);
        var sum = 0u;
        if (t < side) { sum = bitcast<u32>(bias[candidates[c + t]]); }
        for (var first = 0u; first < task.features; first += 64u) {
          let f = first + t;
          if (f < task.features) {
            let x = bitcast<u32>(X[row + f]);
            for (var o = 0u; o < side; o++) {
              products[o * 65u + t] = multiply(x, bitcast<u32>(W[candidates[c + o] * width + f]));
            }
          }
          workgroupBarrier();
          if (t < side) {
            let end = min(64u, task.features - first);
            for (var o = 0u; o < end; o++) {
              let product = products[t * 65u + o];
              if ((product & 0x7fffffffu) != 0u) { sum = plus(sum, product); }
            }
          }
          workgroupBarrier();
        }
        if (t < side) {
          let own = rank(sum);
          let label = candidates[c + t];
          if (winner == NONE || own > top || (own == top && label < winner)) {
            top = own;
            winner = label;
          }
        }
      }
      workgroupBarrier();
    }
    settle(i, t, top, winner);
  }
}
`;
