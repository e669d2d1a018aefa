import type { Dense } from "bonmf";
import { yieldIfDue } from "bonmf/engine";
import { compile, type Gpu } from "./device.js";
import { NORMS } from "./shaders/norms.js";
import { TASK_BYTES } from "./shaders/task.js";

/** Some of the samples, in buffers of their own: no buffer may be larger than a binding. */
export interface Part {
  /** The number of the first sample in the whole data. */
  readonly first: number;
  readonly samples: number;
  /** Rows, each filled with zeros to whole vectors of four. */
  readonly X: GPUBuffer;
  /** Bounds on the lengths of samples, on the distances to their own prototypes, and to any other. */
  readonly bounds: GPUBuffer;
  /** Labels before a sweep, and after it. */
  readonly labels: readonly [GPUBuffer, GPUBuffer];
  readonly task: GPUBuffer;
}

/** The GPU has too little memory. */
export class GpuMemoryError extends Error {
  override readonly name = "GpuMemoryError";
}

/** Bytes that are handed to the GPU at a time. */
const CHUNK_BYTES = 2 ** 24;
/** Bytes of an entry of the list of moves, of which a sample has two. */
export const ENTRY_BYTES = 16;
/** Bytes of what is known of a sample. */
const BOUND_BYTES = 12;
/** No label. */
export const NONE = 0xffffffff;

export const STORAGE = 0x80 | 0x8 | 0x4; // STORAGE | COPY_DST | COPY_SRC
const UNIFORM = 0x40 | 0x8; // UNIFORM | COPY_DST

export function countQuads(features: number): number {
  return Math.ceil(features / 4);
}

/** Makes a buffer. @throws GpuMemoryError where there is no room */
export async function makeBuffer({ device }: Gpu, size: number, usage = STORAGE): Promise<GPUBuffer> {
  if (size > device.limits.maxBufferSize) throw new GpuMemoryError(`a buffer of ${size} bytes is too large`);
  device.pushErrorScope("out-of-memory");
  device.pushErrorScope("validation");
  const buffer = device.createBuffer({ size: Math.max(16, 4 * Math.ceil(size / 4)), usage });
  const errors = await Promise.all([device.popErrorScope(), device.popErrorScope()]);
  const error = errors.find((each) => each !== null);
  if (error) throw new GpuMemoryError(error.message);
  return buffer;
}

/** How many samples a part may have. */
export function mostSamples({ limits }: GPUDevice, quads: number): number {
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  return Math.floor(most / Math.max(16 * quads, ENTRY_BYTES));
}

/** Copies samples to the GPU, part by part. @param most samples of a part */
export async function uploadParts(gpu: Gpu, X: Dense, most: number): Promise<Part[]> {
  const count = Math.ceil(X.samples / most);
  const each = Math.ceil(X.samples / count);
  const parts: Part[] = [];
  try {
    for (let first = 0; first < X.samples; first += each) {
      parts.push(await uploadPart(gpu, X, first, Math.min(each, X.samples - first)));
    }
    return parts;
  } catch (error) {
    releaseParts(parts);
    throw error;
  }
}

export function releaseParts(parts: readonly Part[]): void {
  for (const { X, bounds, labels, task } of parts) for (const buffer of [X, bounds, ...labels, task]) buffer.destroy();
}

async function uploadPart(gpu: Gpu, X: Dense, first: number, samples: number): Promise<Part> {
  const quads = countQuads(X.features);
  const made: GPUBuffer[] = [];
  const make = async (size: number, usage?: number) => {
    const buffer = await makeBuffer(gpu, size, usage);
    made.push(buffer);
    return buffer;
  };
  try {
    const part: Part = {
      first,
      samples,
      X: await make(16 * quads * samples),
      bounds: await make(BOUND_BYTES * samples),
      labels: [await make(4 * samples), await make(4 * samples)],
      task: await make(TASK_BYTES, UNIFORM),
    };
    gpu.device.queue.writeBuffer(part.task, 0, taskOf(part, X.features));
    await writeRows(gpu, X, part, quads);
    return part;
  } catch (error) {
    for (const buffer of made) buffer.destroy();
    throw error;
  }
}

async function writeRows({ device }: Gpu, X: Dense, part: Part, quads: number): Promise<void> {
  const { features: m } = X;
  const data = X.data as Float32Array;
  const width = 4 * quads;
  const rows = Math.max(1, Math.floor(CHUNK_BYTES / (4 * width)));
  // Shared memory is copied once more: not every implementation reads it.
  const direct = width === m && data.buffer instanceof ArrayBuffer;
  const staged = direct ? null : new Float32Array(rows * width);
  for (let at = 0; at < part.samples; at += rows) {
    const count = Math.min(rows, part.samples - at);
    const begin = (part.first + at) * m;
    if (staged === null) {
      device.queue.writeBuffer(part.X, 4 * width * at, data as Float32Array<ArrayBuffer>, begin, count * width);
    } else {
      if (width === m) staged.set(data.subarray(begin, begin + count * m));
      else for (let i = 0, p = begin; i < count; i++, p += m) staged.set(data.subarray(p, p + m), i * width);
      device.queue.writeBuffer(part.X, 4 * width * at, staged, 0, count * width);
    }
    const pause = yieldIfDue();
    if (pause !== null) await pause;
  }
}

/** What kernels are told of a part before there is a step. */
function taskOf({ samples }: Part, features: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(TASK_BYTES / 4);
  words.set([samples, features, countQuads(features)]);
  return words;
}

/** Bounds the lengths of samples. @param largest the largest |value|, not 0 */
export async function measureNorms(gpu: Gpu, parts: readonly Part[], features: number, largest: number): Promise<void> {
  const { device } = gpu;
  const pipeline = await compile(gpu, "norms", () => NORMS);
  const power = 2 ** Math.round(Math.log2(largest));
  const range = await makeBuffer(gpu, 16, UNIFORM);
  const [grow, tiny] = [1 + (features + 16) * 2 ** -22, features * 2 ** -120];
  device.queue.writeBuffer(range, 0, Float32Array.of(1 / power, power, grow, tiny));
  const encoder = device.createCommandEncoder();
  for (const { X, bounds, samples, task } of parts) {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bind(gpu, pipeline, [task, range, X, bounds]));
    pass.dispatchWorkgroups(Math.min(4096, Math.ceil(samples / 64)));
    pass.end();
  }
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  range.destroy();
}

/** Buffers by their binding; undefined where the kernel has none. */
export function bind(
  { device }: Gpu,
  pipeline: GPUComputePipeline,
  buffers: readonly (GPUBuffer | undefined)[],
): GPUBindGroup {
  const entries = buffers.flatMap((buffer, binding) => (buffer ? [{ binding, resource: { buffer } }] : []));
  return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
}
