import { FLOAT32 } from "./float32.js";
import { CSR } from "./labelling.js";
import { HEAD, TASK } from "./task.js";

/**
 * What kernels that settle labels in integers read, write and do alike. A workgroup takes a sample.
 *
 * @param sparse samples are in CSR format, not rows
 * @param threads how many threads of a workgroup each have the best of some prototypes
 */
export function settling(sparse: boolean, threads: number): string {
  return /* wgsl */ `
${TASK}
${sparse ? CSR : "@group(0) @binding(1) var<storage, read> X: array<f32>;"}
@group(0) @binding(2) var<storage, read> W: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> bounds: array<f32>;
@group(0) @binding(5) var<storage, read_write> next: array<u32>;
@group(0) @binding(6) var<storage, read> doubts: array<u32>;
@group(0) @binding(7) var<storage, read_write> totals: array<atomic<u32>>;
${FLOAT32}
var<workgroup> count: u32;
var<workgroup> ranks: array<u32, ${threads}>;
var<workgroup> labels: array<u32, ${threads}>;
const NONE = 0xffffffffu;

// How many labels are in doubt, for all threads of a workgroup.
fn countDoubts(group: u32, t: u32) -> u32 {
  if (t == 0u) {
    count = atomicLoad(&totals[${HEAD.doubts}]);
    if (group == 0u) { atomicAdd(&totals[${HEAD.settled}], count); }
  }
  return workgroupUniformLoad(&count);
}

// A score below which no prototype may be the best of sample i: there are more above it than may be.
fn leastScore(i: u32, best: f32) -> f32 {
  return best - (task.base + task.slope * bounds[i]) * 1.00001 - abs(best) * 0.000001;
}

// Gives sample i the best label that the threads have found, of equal ones the lowest.
fn settle(i: u32, t: u32, top: u32, winner: u32) {
  if (t < ${threads}u) {
    ranks[t] = top;
    labels[t] = winner;
  }
  workgroupBarrier();
  if (t == 0u) {
    var highest = top;
    var label = winner;
    for (var o = 1u; o < ${threads}u; o++) {
      if (labels[o] == NONE) { continue; }
      if (label == NONE || ranks[o] > highest || (ranks[o] == highest && labels[o] < label)) {
        highest = ranks[o];
        label = labels[o];
      }
    }
    next[i] = label;
  }
  workgroupBarrier();
}
`;
}
