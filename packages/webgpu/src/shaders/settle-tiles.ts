import { labelling } from "./labelling.js";
import { NEAREST } from "./nearest.js";
import { HEAD, LOWEST } from "./task.js";
import { TILE } from "./tiles.js";

/** Samples of a workgroup: there are few in doubt, which many workgroups share. */
export const SETTLED = 16;
/** Vectors of four features that are staged at a time, and one between rows. */
const DEPTH = 4;
const ROW = DEPTH + 1;

const each = (line: (at: number) => string) => Array.from({ length: 4 }, (_, at) => line(at)).join("\n");

/**
 * Labels in doubt, scored to the letter of the CPU: from the bias on, one feature after the other, ties to the lowest label. A workgroup takes 16
 * samples, a thread has one of them by four prototypes of a tile.
 */
export const SETTLE_TILES = /* wgsl */ `
${labelling(false)}
${NEAREST}
// Vectors of four features, and one between rows, so that rows begin in different banks.
var<workgroup> xs: array<vec4f, ${SETTLED * ROW}>;
var<workgroup> ws: array<vec4f, ${TILE * ROW}>;
var<workgroup> winners: array<u32, 256>;
var<workgroup> tops: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  let tx = t & 15u;
  let ty = t >> 4u;
  let row = t >> 2u;
  let column = t & 3u;
  let place = row * ${ROW}u + column;
  if (t == 0u) {
    listed = atomicLoad(&totals[${HEAD.doubts}]);
    if (group.x == 0u) { atomicAdd(&totals[${HEAD.settled}], listed); }
  }
  let end = workgroupUniformLoad(&listed);
  for (var start = group.x * ${SETTLED}u; start < end; start += groups.x * ${SETTLED}u) {
    let inside = row < ${SETTLED}u && start + row < end;
    var xRow = 0u;
    if (inside) { xRow = doubts[2u * (start + row)] * task.quads; }
    var top = ${LOWEST};
    var winner = 0u;
    for (var tile = 0u; tile < task.tiles; tile++) {
      ${each((j) => `var s${j} = bias[tile * ${TILE}u + tx + ${16 * j}u];`)}
      let wRow = (tile * ${TILE}u + row) * task.quads;
      for (var q = 0u; q < task.quads; q += ${DEPTH}u) {
        let here = q + column < task.quads;
        var x = vec4f();
        var w = vec4f();
        if (here && inside) { x = X[xRow + q + column]; }
        if (here) { w = W[wRow + q + column]; }
        if (row < ${SETTLED}u) { xs[place] = x; }
        ws[place] = w;
        workgroupBarrier();
        for (var c = 0u; c < ${DEPTH}u; c++) {
          let x = xs[ty * ${ROW}u + c];
          ${each((j) => `let w${j} = ws[(tx + ${16 * j}u) * ${ROW}u + c];`)}
          ${["x", "y", "z", "w"].map((lane) => each((j) => `s${j} = plusProduct(s${j}, x.${lane}, w${j}.${lane}, task.zero);`)).join("\n")}
        }
        workgroupBarrier();
      }
      ${each(
        (j) => `if (s${j} > top) {
        top = s${j};
        winner = tile * ${TILE}u + tx + ${16 * j}u;
      }`,
      )}
    }
    tops[t] = top;
    winners[t] = winner;
    workgroupBarrier();
    if (tx == 0u && start + ty < end) {
      for (var o = 1u; o < 16u; o++) {
        let other = tops[t + o];
        if (other > top || (other == top && winners[t + o] < winner)) {
          top = other;
          winner = winners[t + o];
        }
      }
      next[doubts[2u * (start + ty)]] = winner;
    }
    workgroupBarrier();
  }
}
`;
