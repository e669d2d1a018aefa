import type { Dense } from "bonmf";
import type { Matrix } from "bonmf/engine";
import { cutStored, writeStored } from "./csr.js";
import { compile, type Gpu } from "./device.js";
import { normsShader } from "./shaders/norms.js";
import { TASK_BYTES } from "./shaders/task.js";
import { Upload } from "./upload.js";

/** Some of the samples, in buffers of their own: no buffer may be larger than a binding. */
export interface Part {
  /** The number of the first sample in the whole data. */
  readonly first: number;
  readonly samples: number;
  /** Rows, each filled with zeros to whole vectors of four; of sparse samples pairs of a feature and a value. */
  readonly X: GPUBuffer;
  /** Where the pairs of each sample begin, and the last one's end. */
  readonly offsets: GPUBuffer | undefined;
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

/** Bytes of an entry of the list of moves, of which a sample has two. */
export const ENTRY_BYTES = 16;
/** Bytes of a stored value with its feature. */
export const PAIR_BYTES = 8;
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

/** Copies samples to the GPU, part by part. @param most samples of a part, for tests */
export async function uploadParts(gpu: Gpu, X: Matrix, most = Number.POSITIVE_INFINITY): Promise<Part[]> {
  const starts = cut(gpu, X, most);
  const parts: Part[] = [];
  const upload = new Upload(gpu);
  try {
    for (const [p, first] of starts.entries()) {
      parts.push(await uploadPart(gpu, upload, X, first, (starts[p + 1] ?? X.samples) - first));
    }
    return parts;
  } catch (error) {
    releaseParts(parts);
    throw error;
  } finally {
    upload.close();
  }
}

/** Where parts begin: no buffer of one is larger than a binding may be. */
function cut({ device: { limits } }: Gpu, X: Matrix, most: number): number[] {
  const bytes = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const entries = Math.min(most, Math.floor(bytes / ENTRY_BYTES));
  if (X.kind === "sparse") return cutStored(X, entries, Math.floor(bytes / PAIR_BYTES));
  const fitting = Math.min(entries, Math.floor(bytes / (16 * countQuads(X.features))));
  if (fitting < 1) throw new GpuMemoryError("a sample is too long for a buffer");
  const each = Math.ceil(X.samples / Math.ceil(X.samples / fitting));
  return Array.from({ length: Math.ceil(X.samples / each) }, (_, p) => p * each);
}

export function releaseParts(parts: readonly Part[]): void {
  for (const part of parts) for (const buffer of buffersOf(part)) buffer.destroy();
}

function buffersOf({ X, offsets, bounds, labels, task }: Part): GPUBuffer[] {
  return [X, ...(offsets ? [offsets] : []), bounds, ...labels, task];
}

async function uploadPart(gpu: Gpu, upload: Upload, X: Matrix, first: number, samples: number): Promise<Part> {
  const made: GPUBuffer[] = [];
  const make = async (size: number, usage?: number) => {
    const buffer = await makeBuffer(gpu, size, usage);
    made.push(buffer);
    return buffer;
  };
  const quads = countQuads(X.features);
  const stored = X.kind === "sparse" ? X.offsets[first + samples] - X.offsets[first] : 0;
  try {
    const part: Part = {
      first,
      samples,
      X: await make(X.kind === "sparse" ? PAIR_BYTES * stored : 16 * quads * samples),
      offsets: X.kind === "sparse" ? await make(4 * (samples + 1)) : undefined,
      bounds: await make(BOUND_BYTES * samples),
      labels: [await make(4 * samples), await make(4 * samples)],
      task: await make(TASK_BYTES, UNIFORM),
    };
    gpu.device.queue.writeBuffer(part.task, 0, taskOf(part, X.features));
    await (X.kind === "sparse" ? writeStored(gpu, upload, X, part) : writeRows(upload, X, part));
    return part;
  } catch (error) {
    for (const buffer of made) buffer.destroy();
    throw error;
  }
}

function writeRows(upload: Upload, { data, features: m }: Dense, { first, samples, X }: Part): Promise<void> {
  const width = 4 * countQuads(m);
  return upload.write(X, samples, 4 * width, (memory, from, count) => {
    const rows = new Float32Array(memory);
    const begin = (first + from) * m;
    if (width === m) rows.set(data.subarray(begin, begin + count * m));
    else {
      rows.fill(0);
      for (let i = 0, p = begin; i < count; i++, p += m) rows.set(data.subarray(p, p + m), i * width);
    }
  });
}

/** What kernels are told of a part before there is a step. */
function taskOf({ samples }: Part, features: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(TASK_BYTES / 4);
  words.set([samples, features, countQuads(features)]);
  return words;
}

export function isSparse([{ offsets }]: readonly Part[]): boolean {
  return offsets !== undefined;
}

/**
 * Bounds the lengths of samples.
 *
 * @param terms the most values of a sample that are not 0
 * @param largest the largest |value|, not 0
 */
export async function measureNorms(gpu: Gpu, parts: readonly Part[], terms: number, largest: number): Promise<void> {
  const { device } = gpu;
  const sparse = isSparse(parts);
  const pipeline = await compile(gpu, `norms ${sparse}`, () => normsShader(sparse));
  const power = 2 ** Math.round(Math.log2(largest));
  const range = await makeBuffer(gpu, 16, UNIFORM);
  const [grow, tiny] = [1 + (terms + 16) * 2 ** -22, terms * 2 ** -120];
  device.queue.writeBuffer(range, 0, Float32Array.of(1 / power, power, grow, tiny));
  const encoder = device.createCommandEncoder();
  for (const { X, offsets, bounds, samples, task } of parts) {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bind(gpu, pipeline, atOffsets([task, X, range, bounds], offsets)));
    pass.dispatchWorkgroups(Math.min(4096, Math.ceil(samples / 64)));
    pass.end();
  }
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  range.destroy();
}

/** The binding of the offsets of sparse samples, in every kernel. */
const OFFSETS = 8;

/** Buffers by their binding, with the offsets of sparse samples, if they are. */
export function atOffsets(buffers: readonly (GPUBuffer | undefined)[], offsets: GPUBuffer | undefined) {
  const all: (GPUBuffer | undefined)[] = buffers.slice();
  all[OFFSETS] = offsets;
  return all;
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
