import { labelling } from "./labelling.js";
import { LOWEST } from "./task.js";

/** Prototypes and values of W up to which a thread takes a whole sample. */
export const MOST_PROTOTYPES = 16;
export const MOST_VALUES = 2048;
/** Samples of a workgroup. */
export const GROUP = 128;

export function fitsRows(k: number, quads: number): boolean {
  return k <= MOST_PROTOTYPES && 4 * quads * k <= MOST_VALUES;
}

/** Few features and prototypes: a thread scores a sample, W is in shared memory, the scores are in registers. */
export function rowsShader(k: number, quads: number): string {
  const each = (line: (j: number) => string) => Array.from({ length: k }, (_, j) => line(j)).join("\n");
  return /* wgsl */ `
${labelling(false)}
var<workgroup> ws: array<vec4f, ${k * quads}>;

@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {
  let end = countListed(t);
  let at = task.begin + group.x * ${GROUP}u + t;
  if (task.begin + group.x * ${GROUP}u >= end) { return; }
  for (var p = t; p < ${k * quads}u; p += ${GROUP}u) { ws[p] = W[p]; }
  workgroupBarrier();
  if (at >= end) { return; }
  let i = sampleAt(at);
  ${each((j) => `var s${j} = bias[${j}u];`)}
  let row = i * ${quads}u;
  for (var q = 0u; q < ${quads}u; q++) {
    let x = X[row + q];
    ${each(
      (j) => `{ let w = ws[${j * quads}u + q];
    s${j} = fma(x.w, w.w, fma(x.z, w.z, fma(x.y, w.y, fma(x.x, w.x, s${j})))); }`,
    )}
  }
  var best = ${LOWEST};
  var second = ${LOWEST};
  var winner = 0u;
  ${each(
    (j) => `winner = select(winner, ${j}u, s${j} > best);
  second = max(second, min(best, s${j}));
  best = max(best, s${j});`,
  )}
  label(i, best, second, winner);
}
`;
}
