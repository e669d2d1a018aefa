import { HEAD, TASK } from "./task.js";

/**
 * Hamerly's bounds (2010), before anything is scored: a sample keeps its label where no prototype can have come as near as its own,
 * whatever rounding does. The others are listed.
 */
export const SCREEN = /* wgsl */ `
${TASK}
@group(0) @binding(1) var<storage, read> current: array<u32>;
@group(0) @binding(2) var<storage, read_write> next: array<u32>;
@group(0) @binding(3) var<storage, read_write> bounds: array<f32>;
@group(0) @binding(4) var<storage, read> drifts: array<f32>;
@group(0) @binding(5) var<storage, read_write> list: array<u32>;
@group(0) @binding(6) var<storage, read_write> totals: array<atomic<u32>>;
var<workgroup> count: atomic<u32>;
var<workgroup> place: u32;

// Whether sample i keeps its label; moves its bounds with the prototypes.
fn keeps(i: u32) -> bool {
  let norm = bounds[i];
  let own = current[i];
  if (norm == 0.0 || norm < task.least) { return false; }
  let near = (bounds[task.samples + i] + drifts[own]) * 1.000001;
  let far = (bounds[2u * task.samples + i] - select(task.drift, task.other, own == task.farthest)) * 0.999999;
  bounds[task.samples + i] = near;
  bounds[2u * task.samples + i] = far;
  var needed = 2.00001 * (task.base + task.slope * norm);
  if (task.angular == 1u) { needed = 1.00001 * needed / (norm * (1.0 - task.loose)); }
  return far > near && (far - near) * (far + near) * 0.99999 > needed;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  for (var start = group.x * 256u; start < task.samples; start += groups.x * 256u) {
    let i = start + t;
    if (t == 0u) { atomicStore(&count, 0u); }
    workgroupBarrier();
    var own = 0xffffffffu;
    if (i < task.samples) {
      if (keeps(i)) { next[i] = current[i]; } else { own = atomicAdd(&count, 1u); }
    }
    workgroupBarrier();
    if (t == 0u) {
      let own = atomicLoad(&count);
      place = atomicAdd(&totals[${HEAD.listed}], own);
      atomicAdd(&totals[${HEAD.scored}], own);
    }
    workgroupBarrier();
    if (own != 0xffffffffu) { list[2u * task.samples + place + own] = i; }
    workgroupBarrier();
  }
}
`;
