import { HEAD, TASK } from "./task.js";

/** Samples in CSR format: pairs of a feature and a value, and where each sample's begin. */
export const CSR = /* wgsl */ `
@group(0) @binding(1) var<storage, read> X: array<vec2u>;
@group(0) @binding(8) var<storage, read> offsets: array<u32>;
`;

/** What labelling kernels read and write. @param sparse samples are in CSR format, not rows of vectors of four */
export function labelling(sparse: boolean): string {
  return /* wgsl */ `
${TASK}
${sparse ? CSR : "@group(0) @binding(1) var<storage, read> X: array<vec4f>;"}
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
}
