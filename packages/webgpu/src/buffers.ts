import type { Floats } from "bonmf";
import { type Matrix, squaredNorms } from "bonmf/engine";
import type { Gpu } from "./device.js";
import { countQuads, makeBuffer, type Part, STORAGE } from "./parts.js";
import { HEAD } from "./shaders/task.js";
import { TILE } from "./shaders/tiles.js";

export const READ = 0x1 | 0x8; // MAP_READ | COPY_DST

/** What depends on the number of clusters. */
export interface StepBuffers {
  readonly k: number;
  /** Prototypes in rows of whole vectors, for sparse samples feature after feature; and their biases. Zeros fill the last tile. */
  readonly W: GPUBuffer;
  readonly bias: GPUBuffer;
  readonly totals: GPUBuffer;
  readonly readback: GPUBuffer;
  readonly cursors: GPUBuffer;
  readonly grid: GPUBuffer;
  /** How far each prototype has moved since the step before. */
  readonly drifts: GPUBuffer;
}

/** What a sample is multiplied by in the sums, and its weight on the grid of weights; a buffer for each part. */
export interface Scales {
  readonly unit: boolean;
  readonly weightGrid: number;
  readonly scales: readonly GPUBuffer[];
  /** None where every weight is 1. */
  readonly weights: readonly GPUBuffer[];
}

/** Words of the totals: the head, and sums of 64 bits. */
export function totalsLength(k: number, features: number): number {
  return HEAD.length + 2 * k * (features + 1);
}

export async function makeStepBuffers(gpu: Gpu, k: number, features: number): Promise<StepBuffers> {
  const padded = TILE * Math.ceil(k / TILE);
  const totals = 4 * totalsLength(k, features);
  const [W, bias, sums, readback, cursors, grid, drifts] = await makeAll(gpu, [
    [16 * padded * countQuads(features)],
    [4 * padded],
    [totals],
    [totals, READ],
    [4 * k],
    [4 * features],
    [4 * k],
  ]);
  return { k, W, bias, totals: sums, readback, cursors, grid, drifts };
}

export function releaseStepBuffers({ W, bias, totals, readback, cursors, grid, drifts }: StepBuffers): void {
  for (const buffer of [W, bias, totals, readback, cursors, grid, drifts]) buffer.destroy();
}

/** @param rows IN k × m. @param bias IN k */
export function writePrototypes(
  { device: { queue } }: Gpu,
  { k, W, bias }: StepBuffers,
  prepared: { readonly rows: Floats; readonly bias: Floats },
  sparse: boolean,
): void {
  const { rows } = prepared;
  const m = rows.length / k;
  const wide = 4 * countQuads(m);
  const padded = TILE * Math.ceil(k / TILE);
  const values = new Float32Array(padded * wide);
  if (sparse) transpose(rows, k, values, padded);
  else for (let j = 0; j < k; j++) values.set(rows.subarray(j * m, (j + 1) * m), j * wide);
  const biases = new Float32Array(padded).fill(-(2 ** 125));
  biases.set(prepared.bias);
  queue.writeBuffer(W, 0, values);
  queue.writeBuffer(bias, 0, biases);
}

/** @param out OUT m rows of k numbers, each `width` long. A few features at a time, so that no cache line is read twice. */
function transpose(rows: Floats, k: number, out: Float32Array, width: number): void {
  const m = rows.length / k;
  for (let from = 0; from < m; from += 16) {
    const to = Math.min(from + 16, m);
    for (let j = 0; j < k; j++) for (let f = from; f < to; f++) out[f * width + j] = rows[j * m + f];
  }
}

/** Makes all buffers or none. */
async function makeAll(gpu: Gpu, wanted: readonly (readonly [size: number, usage?: number])[]): Promise<GPUBuffer[]> {
  const made = await Promise.allSettled(wanted.map(([size, usage = STORAGE]) => makeBuffer(gpu, size, usage)));
  const failed = made.find((each) => each.status === "rejected");
  const buffers = made.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  if (failed === undefined) return buffers;
  for (const buffer of buffers) buffer.destroy();
  throw failed.reason;
}

/** Powers of two, as kernel/sums of the library makes grids of them: e of 1.5 · 2^e; 0 for a feature without values. */
export function exponentOf(grid: number): number {
  return grid === 0 ? 0 : Math.round(Math.log2(grid / 1.5));
}

/** @param unit samples count as scaled to length 1 */
export async function makeScales(
  gpu: Gpu,
  X: Matrix,
  parts: readonly Part[],
  weights: Float64Array | null,
  unit: boolean,
  weightGrid: number,
): Promise<Scales> {
  const scales = weights?.slice() ?? new Float64Array(X.samples).fill(1);
  if (unit) {
    squaredNorms(X).forEach((square, i) => {
      const length = Math.sqrt(square);
      scales[i] = length > 0 ? scales[i] / length : 0;
    });
  }
  const sizes = parts.map(({ samples }) => [8 * samples] as const);
  const all = await makeAll(gpu, weights === null ? sizes : [...sizes, ...sizes]);
  const made = { unit, weightGrid, scales: all.slice(0, parts.length), weights: all.slice(parts.length) };
  const steps = weights && weightSteps(weights, weightGrid);
  parts.forEach(({ first, samples }, p) => {
    gpu.device.queue.writeBuffer(made.scales[p], 0, scales, first, samples);
    if (steps !== null) gpu.device.queue.writeBuffer(made.weights[p], 0, steps, 2 * first, 2 * samples);
  });
  return made;
}

export function releaseScales({ scales, weights }: Scales): void {
  for (const buffer of [...scales, ...weights]) buffer.destroy();
}

/** Weights as whole numbers of steps of their grid, of 64 bits each, low word first. */
function weightSteps(weights: Float64Array, grid: number): Uint32Array<ArrayBuffer> {
  const step = 2 ** (exponentOf(grid) - 52);
  const out = new Uint32Array(2 * weights.length);
  weights.forEach((weight, i) => {
    const steps = (weight + grid - grid) / step;
    out[2 * i] = steps % 2 ** 32;
    out[2 * i + 1] = Math.floor(steps / 2 ** 32);
  });
  return out;
}
