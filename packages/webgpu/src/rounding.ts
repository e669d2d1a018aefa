import { READ } from "./buffers.js";
import { compile, type Gpu } from "./device.js";
import { bind, makeBuffer } from "./parts.js";
import { NEAREST } from "./shaders/nearest.js";

const PAIRS = 2 ** 14;

const SOURCE = /* wgsl */ `
@group(0) @binding(0) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> results: array<vec2u>;
${NEAREST}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  // The last pair is 0.
  let zero = pairs[${PAIRS}u].x;
  let a = bitcast<f32>(pairs[id.x].x);
  let b = bitcast<f32>(pairs[id.x].y);
  results[id.x] = vec2u(bitcast<u32>(plusProduct(0.0, a, b, zero)), bitcast<u32>(kept(a + b, zero)));
}
`;

const asked = new WeakMap<Gpu, Promise<boolean>>();

/** Whether the adapter rounds products and sums to nearest, ties to even, which WGSL leaves open. Asked once, with numbers that show it. */
export function roundsToNearest(gpu: Gpu): Promise<boolean> {
  const before = asked.get(gpu);
  if (before !== undefined) return before;
  const answer = ask(gpu).catch(() => false);
  asked.set(gpu, answer);
  return answer;
}

async function ask(gpu: Gpu): Promise<boolean> {
  const { device } = gpu;
  const size = 8 * PAIRS;
  const made = await Promise.all([makeBuffer(gpu, size + 8), makeBuffer(gpu, size), makeBuffer(gpu, size, READ)]);
  try {
    const [pairs, results, readback] = made;
    const words = makePairs();
    device.queue.writeBuffer(pairs, 0, words);
    const pipeline = await compile(gpu, "rounding", () => SOURCE);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bind(gpu, pipeline, [pairs, results]));
    pass.dispatchWorkgroups(PAIRS / 64);
    pass.end();
    encoder.copyBufferToBuffer(results, 0, readback, 0, size);
    device.queue.submit([encoder.finish()]);
    await readback.mapAsync(0x1);
    return areNearest(new Float32Array(words.buffer), new Float32Array(readback.getMappedRange()));
  } finally {
    for (const buffer of made) buffer.destroy();
  }
}

/** Floats as words: any mantissas, and few bits, whose results are often halfway between two floats; exponents near each other. */
function makePairs(): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(2 * PAIRS + 2);
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
  for (let p = 0; p < 2 * PAIRS; p++) {
    const kind = (p >> 1) & 3;
    const mantissa = kind === 0 ? next() & 0x7fffff : kind === 1 ? (next() & 0xfff) << 11 : next() & 0x7ff001;
    const exponent = 127 + (kind === 3 ? (next() % 49) - 24 : (next() % 5) - 2);
    words[p] = ((next() & 1) << 31) | (exponent << 23) | mantissa;
  }
  return words;
}

function areNearest(pairs: Float32Array, results: Float32Array): boolean {
  for (let p = 0; p < 2 * PAIRS; p += 2) {
    const [a, b] = [pairs[p], pairs[p + 1]];
    if (results[p] !== Math.fround(a * b) || results[p + 1] !== Math.fround(a + b)) return false;
  }
  return true;
}
