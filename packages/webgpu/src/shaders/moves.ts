import { HEAD, TASK } from "./task.js";

/** Samples that a workgroup looks at, at a time, and clusters that it counts in shared memory. */
export const SPAN = 2048;
export const SHARED_CLUSTERS = 1024;

const MOVES = /* wgsl */ `
${TASK}
@group(0) @binding(1) var<storage, read> current: array<u32>;
@group(0) @binding(2) var<storage, read> next: array<u32>;
@group(0) @binding(3) var<storage, read_write> totals: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> cursors: array<atomic<u32>>;
var<workgroup> counts: array<atomic<u32>, ${SHARED_CLUSTERS}>;
`;

/**
 * Which samples moved. What becomes of the sums is a list of entries by cluster: a sample enters its new cluster, and unless all sums
 * begin empty leaves its old one. This kernel counts the entries of each cluster, and keeps the fingerprint of all labels.
 */
export const COUNT = /* wgsl */ `
${MOVES}
var<workgroup> changes: array<atomic<u32>, 3>;

// As mixLabel in kernel/sums.ts of the library.
fn mixed(sample: u32, label: u32, salt: u32) -> u32 {
  var h = ((sample ^ salt) * 0x9e3779b1u) ^ ((label + 1u) * 0x85ebca77u);
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

fn count(key: u32) {
  if (task.k <= ${SHARED_CLUSTERS}u) { atomicAdd(&counts[key], 1u); } else { atomicAdd(&cursors[key], 1u); }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  var changed = 0u;
  var hash0 = 0u;
  var hash1 = 0u;
  for (var i = group.x * 256u + t; i < task.samples; i += groups.x * 256u) {
    let old = current[i];
    let now = next[i];
    let moved = old != now;
    if (moved) { changed++; }
    if (moved || task.fresh == 1u) {
      count(now);
      hash0 ^= mixed(task.first + i, now, 0u);
      hash1 ^= mixed(task.first + i, now, 0x5bd1e995u);
    }
    if (moved && task.fresh == 0u) {
      count(old);
      hash0 ^= mixed(task.first + i, old, 0u);
      hash1 ^= mixed(task.first + i, old, 0x5bd1e995u);
    }
  }
  atomicAdd(&changes[0], changed);
  atomicXor(&changes[1], hash0);
  atomicXor(&changes[2], hash1);
  workgroupBarrier();
  if (task.k <= ${SHARED_CLUSTERS}u) {
    for (var key = t; key < task.k; key += 256u) {
      let own = atomicLoad(&counts[key]);
      if (own > 0u) { atomicAdd(&cursors[key], own); }
    }
  }
  if (t == 0u) {
    atomicAdd(&totals[${HEAD.changed}], atomicLoad(&changes[0]));
    atomicXor(&totals[${HEAD.hash0}], atomicLoad(&changes[1]));
    atomicXor(&totals[${HEAD.hash1}], atomicLoad(&changes[2]));
  }
}
`;

/** Where the entries of each cluster begin. One workgroup. */
export const PLACE = /* wgsl */ `
${TASK}
@group(0) @binding(1) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;
var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) t: u32) {
  let each = (task.k + 255u) / 256u;
  let begin = min(t * each, task.k);
  let end = min(begin + each, task.k);
  var own = 0u;
  for (var key = begin; key < end; key++) { own += cursors[key]; }
  sums[t] = own;
  workgroupBarrier();
  var at = 0u;
  for (var o = 0u; o < t; o++) { at += sums[o]; }
  if (t == 255u) { totals[${HEAD.entries}] = at + own; }
  for (var key = begin; key < end; key++) {
    let count = cursors[key];
    cursors[key] = at;
    at += count;
  }
}
`;

/** Writes the entries: a sample, with the highest bit where it leaves, and its cluster. */
export const LIST = /* wgsl */ `
${MOVES}
@group(0) @binding(5) var<storage, read_write> entries: array<vec2u>;
var<workgroup> places: array<u32, ${SHARED_CLUSTERS}>;

fn put(key: u32, entry: u32) {
  var at: u32;
  if (task.k <= ${SHARED_CLUSTERS}u) { at = places[key] + atomicAdd(&counts[key], 1u); } else { at = atomicAdd(&cursors[key], 1u); }
  entries[at] = vec2u(entry, key);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) t: u32) {
  let staged = task.k <= ${SHARED_CLUSTERS}u;
  for (var span = group.x * ${SPAN}u; span < task.samples; span += groups.x * ${SPAN}u) {
    let end = min(span + ${SPAN}u, task.samples);
    if (staged) {
      for (var key = t; key < task.k; key += 256u) { atomicStore(&counts[key], 0u); }
      workgroupBarrier();
      for (var i = span + t; i < end; i += 256u) {
        let old = current[i];
        let now = next[i];
        if (old != now || task.fresh == 1u) { atomicAdd(&counts[now], 1u); }
        if (old != now && task.fresh == 0u) { atomicAdd(&counts[old], 1u); }
      }
      workgroupBarrier();
      for (var key = t; key < task.k; key += 256u) {
        let own = atomicLoad(&counts[key]);
        if (own > 0u) { places[key] = atomicAdd(&cursors[key], own); }
        atomicStore(&counts[key], 0u);
      }
      workgroupBarrier();
    }
    for (var i = span + t; i < end; i += 256u) {
      let old = current[i];
      let now = next[i];
      if (old != now || task.fresh == 1u) { put(now, i); }
      if (old != now && task.fresh == 0u) { put(old, i | 0x80000000u); }
    }
    workgroupBarrier();
  }
}
`;
