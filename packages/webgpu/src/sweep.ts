import type { Floats } from "bonmf";
import { type Matrix, makeSums, preparePrototypes, type Step, type Sums } from "bonmf/engine";
import { areNormal, largestOf, leastOf, longestOf, type Margin, MOST_SCORE, marginOf } from "./bound.js";
import {
  exponentOf,
  makeScales,
  makeStepBuffers,
  READ,
  releaseScales,
  releaseStepBuffers,
  type Scales,
  type StepBuffers,
  totalsLength,
  writePrototypes,
} from "./buffers.js";
import { mostTerms } from "./csr.js";
import type { Gpu } from "./device.js";
import { areUnits, type Drifts, measureDrifts } from "./drifts.js";
import { atOffsets, bind, countQuads, ENTRY_BYTES, makeBuffer, NONE, type Part, releaseParts } from "./parts.js";
import { compileLabelling, compileSumming, heightFor, nameKernel, type Shape } from "./pipelines.js";
import { SPAN } from "./shaders/moves.js";
import { SETTLED } from "./shaders/settle-tiles.js";
import { HEAD, TASK_BYTES } from "./shaders/task.js";
import { TILE } from "./shaders/tiles.js";
import { Timer, type Times } from "./timer.js";

/** Multiply-adds of one command: long ones would stop the screen, and the system might end them. */
const PIECE = 2 ** 34;
/** Pieces that are queued before one is awaited, and an abort heard. */
const QUEUED = 4;
/** The most workgroups of one dispatch. */
const MOST_GROUPS = 65_535;
/** Workgroups of kernels that loop over whatever there is. */
const LOOPING = 2048;
/** The longest sample is shorter than this times √m. */
export const MOST_VALUE = 2 ** 60;

export interface SweepOptions {
  readonly weights: Float64Array | null;
  /** What error bounds are multiplied by: 1, but in tests. */
  readonly margin: number;
  /** The same of how far prototypes move. */
  readonly drift: number;
  /** The largest |value|, and the smallest that is not 0. */
  readonly largest: number;
  readonly least: number;
  /** The adapter rounds to nearest. */
  readonly nearest: boolean;
  readonly onTimes?: ((times: Times) => void) | undefined;
}

/** A step, made ready. */
interface Ready {
  readonly step: Step;
  readonly buffers: StepBuffers;
  readonly scales: Scales | null;
  readonly margin: Margin;
  readonly zeroLabel: number;
  readonly shape: Shape;
  /** Prototypes as scores use them. */
  readonly rows: Floats;
  /** How far they have moved since the bounds of samples were found; null: nothing is known. */
  readonly drifts: Drifts | null;
  /** Whether this step gives bounds for the next. */
  readonly bounding: boolean;
  /** All samples are added to sums that are empty. */
  readonly fresh: boolean;
}

/**
 * Sweeps by the rules `cosine` and `distance` with exact sums, on the GPU. Scores in 32-bit floats decide a label where no rounding
 * could have changed it; the others are settled to the bits of the CPU. Sums are whole numbers, of which after the first sweep
 * only samples that moved are a part.
 */
export class GpuSweep {
  readonly #gpu: Gpu;
  readonly #X: Matrix;
  readonly #quads: number;
  /** The most values of a sample that are not 0, and how many they are on average. */
  readonly #terms: number;
  readonly #filled: number;
  readonly #parts: readonly Part[];
  readonly #options: SweepOptions;
  readonly #timer: Timer | null;
  #buffers: StepBuffers | null = null;
  #scales: Scales | null = null;
  #entries: GPUBuffer | null = null;
  /** Which of a part's buffers holds the labels at hand. */
  #side = 0;
  /** The step whose sums are those of the labels at hand. */
  #summed: Step | null = null;
  /** The step, and its prototypes, that the bounds of samples are for, and drift from. */
  #bounded: { readonly rule: string; readonly rows: Floats } | null = null;
  /** How many labels were settled in the last sweep; each has a workgroup, within limits. */
  #settled: number;
  /** What the GPU thinks of the commands since the last answer. */
  #checks: Promise<GPUError | null>[] = [];

  constructor(gpu: Gpu, X: Matrix, parts: readonly Part[], options: SweepOptions) {
    this.#gpu = gpu;
    this.#X = X;
    this.#quads = countQuads(X.features);
    this.#terms = mostTerms(X);
    this.#filled = X.kind === "sparse" ? X.values.length / X.samples : X.features;
    this.#parts = parts;
    this.#settled = X.samples / 64;
    this.#options = options;
    this.#timer = options.onTimes && gpu.timestamps ? new Timer(gpu) : null;
  }

  /** The name of the kernel that labels samples, for `model.kernel`. */
  kernelFor(k: number): string {
    return nameKernel(this.#shapeFor(k, false));
  }

  #shapeFor(k: number, nearest: boolean): Shape {
    return { sparse: this.#X.kind === "sparse", k, quads: this.#quads, nearest };
  }

  /**
   * One sweep; null where the step is nothing for the GPU. All or nothing: after an abort the labels are those from before.
   *
   * @throws the signal's reason; Error where the GPU fails
   */
  async run(step: Step, signal?: AbortSignal): Promise<Sums | null> {
    const ready = await this.#prepare(step);
    if (ready === null) return null;
    this.#summed = this.#bounded = null;
    await this.#label(ready, signal);
    await this.#sum(ready);
    const totals = await this.#readTotals(ready.buffers);
    this.#side = 1 - this.#side;
    if (!step.codesOnly) this.#summed = step;
    if (ready.bounding) this.#bounded = { rule: step.rule, rows: ready.rows };
    this.#settled = totals[HEAD.settled];
    const scored = ready.drifts === null ? this.#X.samples : totals[HEAD.scored];
    if (this.#options.onTimes) {
      this.#options.onTimes({ ...(await this.#timer?.read()), scored, settled: this.#settled });
    }
    return this.#sumsOf(step, totals, scored);
  }

  /** The labels at hand. */
  async labels(): Promise<Uint32Array> {
    const out = new Uint32Array(this.#X.samples);
    for (const { first, samples, labels } of this.#parts) {
      const buffer = await makeBuffer(this.#gpu, 4 * samples, READ);
      try {
        const encoder = this.#gpu.device.createCommandEncoder();
        encoder.copyBufferToBuffer(labels[this.#side], 0, buffer, 0, 4 * samples);
        this.#submit(encoder);
        await this.#answer(buffer.mapAsync(0x1));
        out.set(new Uint32Array(buffer.getMappedRange(), 0, samples), first);
      } finally {
        buffer.destroy();
      }
    }
    return out;
  }

  /** Labels from outside, which the next sweep counts its changes from; null: none. */
  setLabels(labels: ArrayLike<number> | null): void {
    const all = labels === null ? new Uint32Array(this.#X.samples).fill(NONE) : Uint32Array.from(labels);
    for (const part of this.#parts) {
      this.#gpu.device.queue.writeBuffer(part.labels[this.#side], 0, all, part.first, part.samples);
    }
    this.#summed = this.#bounded = null;
  }

  /** Takes the last sweep back. */
  revert(): void {
    this.#side = 1 - this.#side;
    this.#summed = this.#bounded = null;
  }

  close(): void {
    releaseParts(this.#parts);
    if (this.#buffers) releaseStepBuffers(this.#buffers);
    if (this.#scales) releaseScales(this.#scales);
    this.#entries?.destroy();
    this.#timer?.close();
  }

  /** Null where scores might overflow, or error bounds would say nothing. */
  async #prepare(step: Step): Promise<Ready | null> {
    const { device } = this.#gpu;
    const { features: m } = this.#X;
    const { rule, k, unit = false } = step;
    const { rows, bias } = preparePrototypes(rule, step.W, k, "f32");
    const longest = longestOf(rows, k);
    const largestBias = largestOf(bias);
    const { base, slope } = marginOf(this.#terms, longest, largestBias);
    if (!(slope < 2 ** 60 && base < MOST_SCORE)) return null;
    if (!(largestBias + longest * MOST_VALUE * Math.sqrt(m) < MOST_SCORE)) return null;
    this.#entries ??= await makeBuffer(this.#gpu, ENTRY_BYTES * Math.max(...this.#parts.map(({ samples }) => samples)));
    if (this.#buffers?.k !== k) {
      if (this.#buffers) releaseStepBuffers(this.#buffers);
      this.#buffers = null;
      this.#buffers = await makeStepBuffers(this.#gpu, k, m);
      this.#summed = null;
    }
    const buffers = this.#buffers;
    await this.#prepareScales(unit, step.weightGrid!);
    writePrototypes(this.#gpu, buffers, { rows, bias }, this.#X.kind === "sparse");
    device.queue.writeBuffer(buffers.grid, 0, Int32Array.from(step.grid!, exponentOf));
    let zeroLabel = 0;
    for (let j = 1; j < k; j++) if (bias[j] > bias[zeroLabel]) zeroLabel = j;
    const { margin, largest, least, nearest } = this.#options;
    const inFloats = nearest && this.#X.kind === "dense" && areNormal(least, leastOf(rows), leastOf(bias));
    const shape = this.#shapeFor(k, inFloats);
    // Squares of distances are computed in 32 bits, and directions need a length.
    const inRange = largest > 2 ** -40 && largest < 2 ** 40 && longest < 2 ** 60;
    const bounding = inRange && (rule === "distance" || areUnits(rows, k));
    const known = bounding && this.#bounded?.rule === rule && this.#bounded.rows.length === rows.length;
    const drifts = known ? measureDrifts(this.#bounded!.rows, rows, k, this.#options.drift) : null;
    if (drifts !== null) device.queue.writeBuffer(buffers.drifts, 0, drifts.each);
    return {
      rows,
      drifts,
      bounding,
      shape,
      step,
      buffers,
      scales: this.#scales,
      margin: { base: base * margin, slope: slope * margin },
      zeroLabel,
      fresh: this.#summed === null || step.codesOnly === true || !sumsAlike(this.#summed, step),
    };
  }

  async #prepareScales(unit: boolean, weightGrid: number): Promise<void> {
    const { weights } = this.#options;
    const needed = unit || weights !== null;
    const fits = needed ? this.#scales?.unit === unit && this.#scales.weightGrid === weightGrid : this.#scales === null;
    if (fits) return;
    if (this.#scales) releaseScales(this.#scales);
    this.#scales = null;
    if (needed) this.#scales = await makeScales(this.#gpu, this.#X, this.#parts, weights, unit, weightGrid);
  }

  /** Labels all samples, beside the labels at hand. */
  async #label(ready: Ready, signal?: AbortSignal): Promise<void> {
    const { device } = this.#gpu;
    const { W, bias, totals } = ready.buffers;
    const { shape } = ready;
    const { screen, label, settle } = await compileLabelling(this.#gpu, shape);
    const height = heightFor(shape);
    const work = this.#filled * shape.k * height;
    const most = height * Math.max(1, Math.min(MOST_GROUPS, Math.floor(PIECE / work)));
    let encoder = device.createCommandEncoder();
    if (ready.fresh) encoder.clearBuffer(totals);
    for (const name of ["changed", "settled", "scored"] as const) encoder.clearBuffer(totals, 4 * HEAD[name], 4);
    let pieces = 0;
    for (const part of this.#parts) {
      const [before, after] = [part.labels[this.#side], part.labels[1 - this.#side]];
      const used = atOffsets([part.task, part.X, W, bias, part.bounds, after, this.#entries!, totals], part.offsets);
      for (const name of ["doubts", "listed"] as const) encoder.clearBuffer(totals, 4 * HEAD[name], 4);
      if (ready.drifts !== null) {
        const screened = [part.task, before, after, part.bounds, ready.buffers.drifts, this.#entries!, totals];
        this.#dispatch(encoder, "screen", screen, screened, groupsFor(part.samples, 256));
      }
      for (let begin = 0; begin < part.samples; begin += most) {
        const end = Math.min(begin + most, part.samples);
        if (begin > 0) {
          this.#submit(encoder);
          encoder = device.createCommandEncoder();
          if (++pieces % QUEUED === 0) await this.#pause(signal);
        }
        this.#writeTask(part, ready, begin, end);
        this.#dispatch(encoder, "label", label, used, Math.ceil((end - begin) / height));
      }
      const tiled = shape.nearest;
      const settling = tiled ? used.map((buffer) => (buffer === part.bounds ? undefined : buffer)) : used;
      const groups = 16 + Math.ceil((2 * this.#settled) / (tiled ? SETTLED : 1));
      this.#dispatch(encoder, "settle", settle, settling, Math.min(LOOPING, groups));
    }
    this.#submit(encoder);
    if (pieces >= QUEUED) await this.#pause(signal);
  }

  /** Moves samples between the sums, where those are wanted, and copies them to where they can be read. */
  async #sum({ scales, buffers, step }: Ready): Promise<void> {
    const { device } = this.#gpu;
    const sparse = this.#X.kind === "sparse";
    const variant = { sparse, scaled: scales !== null, weighted: this.#options.weights !== null };
    const { count, place, list, sums } = await compileSumming(this.#gpu, variant);
    const { totals, cursors, grid, readback } = buffers;
    const encoder = device.createCommandEncoder();
    this.#parts.forEach((part, p) => {
      const { task, samples, X, offsets, labels } = part;
      const [before, after] = [labels[this.#side], labels[1 - this.#side]];
      encoder.clearBuffer(cursors);
      this.#dispatch(encoder, "count", count, [task, before, after, totals, cursors], groupsFor(samples, 1024));
      if (step.codesOnly) return;
      this.#dispatch(encoder, "place", place, [task, cursors, totals], 1);
      const listed = [task, before, after, undefined, cursors, this.#entries!];
      this.#dispatch(encoder, "list", list, listed, groupsFor(samples, SPAN));
      const summed = atOffsets([task, X, this.#entries!, grid, totals, scales?.scales[p], scales?.weights[p]], offsets);
      const columns = sparse ? 1 : Math.ceil((this.#X.features + 1) / 64);
      this.#dispatch(encoder, "sums", sums, summed, groupsFor(2 * samples, sparse ? 4 : 32), columns);
    });
    encoder.copyBufferToBuffer(totals, 0, readback, 0, 4 * totalsLength(step.k, this.#X.features));
    this.#timer?.resolve(encoder);
    this.#submit(encoder);
  }

  #writeTask({ task, samples, first }: Part, ready: Ready, begin: number, end: number): void {
    const { step, fresh, zeroLabel, margin, drifts } = ready;
    const bytes = new ArrayBuffer(TASK_BYTES);
    const { features } = this.#X;
    const tiles = Math.ceil(step.k / TILE);
    new Uint32Array(bytes).set([samples, features, this.#quads, step.k, begin, end, first, +fresh, tiles, zeroLabel]);
    new Float32Array(bytes).set([margin.base, margin.slope], 10);
    new Uint32Array(bytes).set([+(drifts !== null), +(step.rule === "cosine")], 12);
    // What norms.ts adds to lengths.
    const loose = (this.#terms + 16) * 2 ** -22 + this.#terms * 2 ** -40 + 3e-5;
    new Float32Array(bytes).set([loose, this.#options.largest * 2 ** -40], 14);
    new Uint32Array(bytes).set([drifts?.farthest ?? 0], 16);
    new Float32Array(bytes).set([drifts?.most ?? 0, drifts?.other ?? 0], 17);
    this.#gpu.device.queue.writeBuffer(task, 0, bytes);
  }

  #dispatch(
    encoder: GPUCommandEncoder,
    name: string,
    pipeline: GPUComputePipeline,
    buffers: readonly (GPUBuffer | undefined)[],
    x: number,
    y = 1,
  ): void {
    const pass = encoder.beginComputePass(this.#timer?.begin(name));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bind(this.#gpu, pipeline, buffers));
    pass.dispatchWorkgroups(x, y);
    pass.end();
  }

  #submit(encoder: GPUCommandEncoder): void {
    const { device } = this.#gpu;
    device.pushErrorScope("validation");
    device.queue.submit([encoder.finish()]);
    this.#checks.push(device.popErrorScope());
  }

  /** Waits for an answer, and for whatever was wrong with what was asked. */
  async #answer(answer: Promise<unknown>): Promise<void> {
    const [, ...errors] = await Promise.all([answer, ...this.#checks.splice(0)]);
    const error = errors.find((each) => each !== null);
    if (error) throw new Error(error.message);
    if (this.#gpu.lost !== null) throw new Error(this.#gpu.lost);
  }

  async #pause(signal?: AbortSignal): Promise<void> {
    await this.#answer(this.#gpu.device.queue.onSubmittedWorkDone());
    signal?.throwIfAborted();
  }

  async #readTotals({ readback }: StepBuffers): Promise<Uint32Array> {
    await this.#answer(readback.mapAsync(0x1));
    const totals = new Uint32Array(readback.getMappedRange()).slice();
    readback.unmap();
    return totals;
  }

  #sumsOf({ k, grid, weightGrid }: Step, totals: Uint32Array, scored: number): Sums {
    const { features: m } = this.#X;
    const XHt = new Float64Array(k * m);
    const HHt = new Float64Array(k);
    const steps = Float64Array.from(grid!, stepOf);
    const weightStep = this.#options.weights === null ? 1 : stepOf(weightGrid!);
    const high = new Int32Array(totals.buffer);
    for (let j = 0, q = 0, p: number = HEAD.length; j < k; j++) {
      for (let f = 0; f < m; f++, q++, p += 2) XHt[q] = (high[p + 1] * 2 ** 32 + totals[p]) * steps[f];
      HHt[j] = (high[p + 1] * 2 ** 32 + totals[p]) * weightStep;
      p += 2;
    }
    const [changed, hash0, hash1] = totals;
    return Object.assign(makeSums(XHt, HHt), { changed, hash0, hash1, products: scored * k });
  }
}

/** The distance between the points of a grid. */
function stepOf(grid: number): number {
  return 2 ** (exponentOf(grid) - 52);
}

function groupsFor(items: number, each: number): number {
  return Math.max(1, Math.min(LOOPING, Math.ceil(items / each)));
}

/** Whether the sums of step a are sums of step b too, but for samples that move. */
function sumsAlike(a: Step, b: Step): boolean {
  if (a.k !== b.k || (a.unit ?? false) !== (b.unit ?? false) || a.weightGrid !== b.weightGrid) return false;
  return a.grid === b.grid || a.grid!.every((c, f) => c === b.grid![f]);
}
