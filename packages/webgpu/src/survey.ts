import { blockSize, emptyStats, insertRanked, makeSums, pushStats, type Ranked, type Stats } from "bonmf/engine";
import { READ } from "./buffers.js";
import { compile, type Gpu } from "./device.js";
import { atOffsets, bind, isSparse, makeBuffer, type Part } from "./parts.js";
import { largestShader, squaresShader } from "./shaders/survey.js";

/** Workgroups that measure samples. */
const MOST_GROUPS = 16_384;

/** What is known of samples that are finite and not negative: the answer to `survey` steps. */
export interface GpuSurvey {
  /** Interleaved: ‖x‖² and the sum of the values of every sample, to the bit of the CPU. */
  readonly squares: Float64Array;
  /** The largest value of each feature. */
  readonly most: Float64Array;
  readonly weights: Float64Array | null;
}

/** What is found first: the largest values, and what is wrong with some. */
export interface Extremes {
  readonly most: Float64Array;
  /** The smallest |value| that is not 0. */
  readonly least: number;
  readonly negative: boolean;
  readonly finite: boolean;
}

export async function findExtremes(gpu: Gpu, parts: readonly Part[], features: number): Promise<Extremes> {
  const { device } = gpu;
  const sparse = isSparse(parts);
  const pipeline = await compile(gpu, `largest ${sparse}`, () => largestShader(sparse));
  const size = 4 * (features + 2);
  const [most, readback] = await Promise.all([makeBuffer(gpu, size), makeBuffer(gpu, size, READ)]);
  try {
    const encoder = device.createCommandEncoder();
    for (const { task, X, offsets, samples } of parts) {
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bind(gpu, pipeline, atOffsets([task, X, most], offsets)));
      pass.dispatchWorkgroups(Math.min(1024, Math.ceil(samples / 64)), sparse ? 1 : Math.ceil(features / 64));
      pass.end();
    }
    encoder.copyBufferToBuffer(most, 0, readback, 0, size);
    device.queue.submit([encoder.finish()]);
    await readback.mapAsync(0x1);
    const words = readback.getMappedRange();
    const [flags] = new Uint32Array(words, 0, 1);
    const values = Float64Array.from(new Float32Array(words, 4, features));
    const [below] = new Uint32Array(words, 4 * (features + 1), 1);
    const [least] = new Float32Array(Uint32Array.of(0x7f800000 - below).buffer);
    return { most: values, least, negative: (flags & 1) !== 0, finite: (flags & 2) === 0 };
  } finally {
    most.destroy();
    readback.destroy();
  }
}

/** @param most what `findExtremes` has found of samples that are not negative */
export async function surveyParts(
  gpu: Gpu,
  parts: readonly Part[],
  most: Float64Array,
  weights: Float64Array | null,
): Promise<GpuSurvey> {
  const { device } = gpu;
  const sparse = isSparse(parts);
  const pipeline = await compile(gpu, `squares ${sparse}`, () => squaresShader(sparse));
  const samples = parts.reduce((sum, part) => sum + part.samples, 0);
  const squares = new Float64Array(2 * samples);
  for (const part of parts) {
    const size = 16 * part.samples;
    const [out, readback] = await Promise.all([makeBuffer(gpu, size), makeBuffer(gpu, size, READ)]);
    try {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bind(gpu, pipeline, atOffsets([part.task, part.X, out], part.offsets)));
      // A thread takes four samples, so that small fits loop as large ones do.
      pass.dispatchWorkgroups(Math.min(MOST_GROUPS, Math.ceil(part.samples / 256)));
      pass.end();
      encoder.copyBufferToBuffer(out, 0, readback, 0, size);
      device.queue.submit([encoder.finish()]);
      await readback.mapAsync(0x1);
      squares.set(new Float64Array(readback.getMappedRange(), 0, 2 * part.samples), 2 * part.first);
    } finally {
      out.destroy();
      readback.destroy();
    }
  }
  return { squares, most, weights };
}

/** The totals block by block, with the `rank` longest samples, as BlockSurvey of the library has them. */
export function surveyStats({ squares, most, weights }: GpuSurvey, rank: number): Stats {
  const samples = squares.length / 2;
  const stats = emptyStats(rank);
  const block = blockSize(samples);
  const none = new Float64Array(0);
  for (let from = 0; from < samples; from += block) {
    const to = Math.min(from + block, samples);
    let [normSq, total, weight, zeros, zeroWeight] = [0, 0, 0, 0, 0];
    for (let i = from; i < to; i++) {
      const own = weights === null ? 1 : weights[i];
      normSq += own * squares[2 * i];
      total += own * squares[2 * i + 1];
      weight += own;
      if (squares[2 * i] !== 0) continue;
      zeros++;
      zeroWeight += own;
    }
    const ranked = rank > 0 ? rankLongest(squares, weights, from, to, rank) : [];
    const sums = Object.assign(makeSums(none, none), { normSq, total, weight, zeros, zeroWeight, most, ranked });
    pushStats(stats, from / block, 0, sums);
  }
  return stats;
}

function rankLongest(
  squares: Float64Array,
  weights: Float64Array | null,
  from: number,
  to: number,
  rank: number,
): Ranked[] {
  const ranked: Ranked[] = [];
  for (let i = from; i < to; i++) {
    const key = -Math.sqrt(squares[2 * i]);
    if (ranked.length === rank && key > ranked[rank - 1].key) continue;
    const weight = weights === null ? 1 : weights[i];
    if (weight !== 0 && key !== 0) insertRanked(ranked, { id: i, key, label: 0, value: 1, weight }, rank);
  }
  return ranked;
}
