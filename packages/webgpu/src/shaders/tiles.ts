import { labelling } from "./labelling.js";
import { LOWEST } from "./task.js";

/** Samples of a workgroup, and prototypes of a tile. */
export const TILE = 64;
/** Vectors of four features that are staged at a time. */
const DEPTH = 4;
/** Rows of a feature in vectors of four, and one more, so that features begin in different banks. */
const WIDTH = TILE / 4 + 1;

const each = (line: (at: number) => string, count = 4) => Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** Stages a vector of four features of a row, feature after feature. */
const stage = (vector: string, array: string, rows: number, row: string) =>
  each((f) => `${array}[(4u * column + ${f}u) * ${rows}u + (${row}) / 4u][row % 4u] = ${vector}[${f}];`);

/**
 * A workgroup scores 64 samples against all prototypes, `side` tiles of 64 at a time. A thread has four samples by four prototypes of each
 * tile; values are staged in shared memory, feature after feature, so that it reads four of them at once.
 */
export function tilesShader(side: number): string {
  const wide = side * (TILE / 4) + 1;
  const tiles = (line: (c: number) => string) => each(line, side);
  return /* wgsl */ `
${labelling(false)}
var<workgroup> xs: array<vec4f, ${4 * DEPTH * WIDTH}>;
var<workgroup> ws: array<vec4f, ${4 * DEPTH * wide}>;
var<workgroup> tops: array<vec2f, 256>;
var<workgroup> winners: array<u32, 256>;

fn keep(top: vec2f, score: f32) -> vec2f {
  return vec2f(max(top.x, score), max(top.y, min(top.x, score)));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {
  let tx = t & 15u;
  let ty = t >> 4u;
  let row = t >> 2u;
  let column = t & 3u;
  let start = task.begin + group.x * ${TILE}u;
  let end = countListed(t);
  if (start >= end) { return; }
  let inside = start + row < end;
  var xRow = 0u;
  if (inside) { xRow = sampleAt(start + row) * task.quads; }
  ${each((i) => `var top${i} = vec2f(${LOWEST}, ${LOWEST}); var winner${i} = 0u;`)}
  for (var tile = 0u; tile < task.tiles; tile += ${side}u) {
    ${each((i) => tiles((c) => `var s${i}${c} = vec4f();`))}
    ${tiles((c) => `let wRow${c} = ((tile + ${c}u) * ${TILE}u + row) * task.quads;`)}
    for (var q = 0u; q < task.quads; q += ${DEPTH}u) {
      let here = q + column < task.quads;
      var x = vec4f();
      if (here && inside) { x = X[xRow + q + column]; }
      ${stage("x", "xs", WIDTH, "row")}
      ${tiles(
        (c) => `var w${c} = vec4f();
      if (here) { w${c} = W[wRow${c} + q + column]; }
      ${stage(`w${c}`, "ws", wide, `row + ${TILE * c}u`)}`,
      )}
      workgroupBarrier();
      for (var f = 0u; f < ${4 * DEPTH}u; f++) {
        let x = xs[f * ${WIDTH}u + ty];
        ${tiles((c) => `let w${c} = ws[f * ${wide}u + tx + ${(TILE / 4) * c}u];`)}
        ${each((i) => tiles((c) => `s${i}${c} = fma(vec4f(x[${i}]), w${c}, s${i}${c});`))}
      }
      workgroupBarrier();
    }
    ${tiles(
      (c) => `{
      let first = (tile + ${c}u) * ${TILE}u + 4u * tx;
      let own = vec4f(bias[first], bias[first + 1u], bias[first + 2u], bias[first + 3u]);
      ${each(
        (i) => `{ let scores = s${i}${c} + own;
        ${each(
          (j) => `winner${i} = select(winner${i}, first + ${j}u, scores[${j}] > top${i}.x);
        top${i} = keep(top${i}, scores[${j}]);`,
        )} }`,
      )}
    }`,
    )}
  }
  ${each(
    (i) => `
  tops[t] = top${i};
  winners[t] = winner${i};
  workgroupBarrier();
  if (tx == 0u) {
    let at = start + 4u * ty + ${i}u;
    var top = top${i};
    var winner = winner${i};
    for (var o = 1u; o < 16u; o++) {
      let other = tops[t + o];
      winner = select(winner, winners[t + o], other.x > top.x);
      top = vec2f(max(top.x, other.x), max(min(top.x, other.x), max(top.y, other.y)));
    }
    if (at < end) { label(sampleAt(at), top.x, top.y, winner); }
  }
  workgroupBarrier();`,
  )}
}
`;
}
