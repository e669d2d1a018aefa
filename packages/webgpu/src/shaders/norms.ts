import { CSR } from "./labelling.js";
import { TASK } from "./task.js";

const ROWS = /* wgsl */ `
    for (var q = 0u; q < task.quads; q++) {
      let x = X[i * task.quads + q];
      bits |= bitcast<vec4u>(x);
      let y = x * range.scale;
      sum += dot(y, y);
    }`;

const PAIRS = /* wgsl */ `
    for (var p = offsets[i]; p < offsets[i + 1u]; p++) {
      let x = X[p].y;
      bits.x |= x;
      let y = bitcast<f32>(x) * range.scale;
      sum += y * y;
    }`;

/**
 * An upper bound on the length of every sample, for error bounds; 0 where every value is 0, and only there. `scale` is a power of
 * two that brings the largest value to about 1.
 */
export const normsShader = (sparse: boolean) => /* wgsl */ `
${TASK}
struct Range { scale: f32, inverse: f32, grow: f32, tiny: f32 }
${sparse ? CSR : "@group(0) @binding(1) var<storage, read> X: array<vec4f>;"}
@group(0) @binding(2) var<uniform> range: Range;
@group(0) @binding(3) var<storage, read_write> norms: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  for (var i = group.x * 64u + t; i < task.samples; i += groups.x * 64u) {
    var sum = 0.0;
    var bits = vec4u();
    ${sparse ? PAIRS : ROWS}
    let some = ((bits.x | bits.y | bits.z | bits.w) & 0x7fffffffu) != 0u;
    norms[i] = select(0.0, sqrt(sum * range.grow + range.tiny) * range.inverse * 1.00001, some);
  }
}
`;
