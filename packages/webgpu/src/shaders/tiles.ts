import { HEAD, LOWEST, TASK } from "./task.js";

/** What labelling kernels read and write. */
export const LABELLING = /* wgsl */ `
${TASK}
@group(0) @binding(1) var<storage, read> X: array<vec4f>;
@group(0) @binding(2) var<storage, read> W: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
// Of each sample a bound on its length; behind all those, bounds on its distance to its own prototype, then to any other.
@group(0) @binding(4) var<storage, read_write> bounds: array<f32>;
@group(0) @binding(5) var<storage, read_write> next: array<u32>;
// Pairs of words; behind all those, the samples to label.
@group(0) @binding(6) var<storage, read_write> doubts: array<u32>;
@group(0) @binding(7) var<storage, read_write> totals: array<atomic<u32>>;

var<workgroup> listed: u32;

// How many samples there are to label, for all threads of a workgroup.
fn countListed(t: u32) -> u32 {
  if (t == 0u) { listed = select(task.end, atomicLoad(&totals[${HEAD.listed}]), task.listed == 1u); }
  return min(workgroupUniformLoad(&listed), task.end);
}

fn sampleAt(at: u32) -> u32 {
  if (task.listed == 0u) { return at; }
  return doubts[2u * task.samples + at];
}

// Above what rounding makes of a few operations.
const UP = 1.000004;
const DOWN = 0.999996;

// What the scores of sample i, off by so much at most, say of its distance to its own prototype, from above, and to any other, from below.
fn bound(i: u32, norm: f32, best: f32, second: f32, off: f32) {
  let shortest = norm * (1.0 - task.loose) * DOWN;
  var near = 0.0;
  var far = 0.0;
  if (task.angular == 1u) {
    let own = best - off;
    let other = max(second, -2.0 * norm) + off;
    near = 2.0 - 2.0 * own / select(shortest, norm, own > 0.0) + 0.000004;
    far = 2.0 - 2.0 * other / select(norm, shortest, other > 0.0) - 0.000004;
  } else {
    let square = norm * norm;
    near = square - 2.0 * best + 2.0 * off + (square + 2.0 * abs(best)) * 0.000002;
    far = shortest * shortest - 2.0 * second - 2.0 * off - (square + 2.0 * abs(second)) * 0.000002;
  }
  bounds[task.samples + i] = sqrt(max(near, 0.0)) * UP;
  bounds[2u * task.samples + i] = sqrt(max(far, 0.0)) * DOWN;
}

// Sample i gets the label of its best score, unless the second best is so near that rounding may have decided.
fn label(i: u32, best: f32, second: f32, winner: u32) {
  let norm = bounds[i];
  if (norm == 0.0) {
    next[i] = task.zeroLabel;
    return;
  }
  next[i] = winner;
  let off = task.base + task.slope * norm;
  bound(i, norm, best, second, off);
  if (best - second > off) { return; }
  bounds[2u * task.samples + i] = 0.0;
  let at = atomicAdd(&totals[${HEAD.doubts}], 1u);
  doubts[2u * at] = i;
  doubts[2u * at + 1u] = bitcast<u32>(best);
}
`;

/** Samples and prototypes of a tile; a thread has SIDE × SIDE of its scores. */
export const TILE = 64;
const SIDE = 4;
/** Vectors of four features that are staged at a time, and one between rows, so that rows begin in different banks. */
const DEPTH = 4;
const ROW = DEPTH + 1;

const each = (line: (at: number) => string) => Array.from({ length: SIDE }, (_, at) => line(at)).join("\n");
const pairs = (line: (i: number, j: number) => string) => each((i) => each((j) => line(i, j)));

/** A workgroup scores 64 samples against all prototypes, 64 at a time; rows are staged in shared memory. */
export const TILES = /* wgsl */ `
${LABELLING}
var<workgroup> xs: array<vec4f, ${TILE * ROW}>;
var<workgroup> ws: array<vec4f, ${TILE * ROW}>;
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
  let place = row * ${ROW}u + column;
  ${each((i) => `var top${i} = vec2f(${LOWEST}, ${LOWEST}); var winner${i} = 0u;`)}
  for (var tile = 0u; tile < task.tiles; tile++) {
    ${pairs((i, j) => `var s${i}${j} = 0.0;`)}
    let wRow = (tile * ${TILE}u + row) * task.quads;
    for (var q = 0u; q < task.quads; q += ${DEPTH}u) {
      let here = q + column < task.quads;
      var x = vec4f();
      var w = vec4f();
      if (here && inside) { x = X[xRow + q + column]; }
      if (here) { w = W[wRow + q + column]; }
      xs[place] = x;
      ws[place] = w;
      workgroupBarrier();
      for (var c = 0u; c < ${DEPTH}u; c++) {
        ${each((i) => `let x${i} = xs[(ty + ${16 * i}u) * ${ROW}u + c];`)}
        ${each((j) => `let w${j} = ws[(tx + ${16 * j}u) * ${ROW}u + c];`)}
        ${["x", "y", "z", "w"].map((lane) => pairs((i, j) => `s${i}${j} = fma(x${i}.${lane}, w${j}.${lane}, s${i}${j});`)).join("\n")}
      }
      workgroupBarrier();
    }
    ${each((j) => {
      const column = `column${j}`;
      return `let ${column} = tile * ${TILE}u + tx + ${16 * j}u; let bias${j} = bias[${column}];
      ${each(
        (i) => `{ let score = s${i}${j} + bias${j};
        winner${i} = select(winner${i}, ${column}, score > top${i}.x);
        top${i} = keep(top${i}, score); }`,
      )}`;
    })}
  }
  ${each(
    (i) => `
  tops[t] = top${i};
  winners[t] = winner${i};
  workgroupBarrier();
  if (tx == 0u) {
    let at = start + ty + ${16 * i}u;
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
