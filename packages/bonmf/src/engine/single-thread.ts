import { OptionError } from "../errors.js";
import { nameKernel, PLAIN_KERNEL } from "../kernel/choose.js";
import { CHUNK, plainProducts } from "../kernel/plain/products.js";
import type { PreparedStep } from "../kernel/plain/shard.js";
import { prepareStep, sweep } from "../kernel/plain/sweep.js";
import { Assigner } from "../kernel/simd/pruned-assignment.js";
import { SimdProducts } from "../kernel/simd/simd-products.js";
import { StoredCodes } from "../kernel/simd/stored-codes.js";
import { allocateCodes, type Codes, FORM, type Form, type Step } from "../kernel/step.js";
import { closeLoss, type Sums, zeroSums } from "../kernel/sums.js";
import type { Dense } from "../matrix/dense.js";
import type { Engine, SampleWindows } from "./engine.js";
import { blockSize, emptyStats, pushStats, type Stats } from "./stats.js";
import { BlockSurvey } from "./survey.js";
import { yieldIfDue } from "./yield.js";

/**
 * Opens the engine for the samples of one thread, wherever they are.
 *
 * @param total how many samples the whole data has
 */
export async function openSingleThread(windows: SampleWindows, total: number): Promise<Engine> {
  const { offset } = windows;
  const block = blockSize(total, windows.gaps !== null);
  try {
    if (offset % block !== 0) {
      throw new OptionError("offset", offset, `a shard must begin at a multiple of ${block} samples, not at ${offset}`);
    }
    return new SingleThreadEngine(windows, await BlockSurvey.take(windows, block), block);
  } catch (error) {
    await windows.close();
    throw error;
  }
}

/**
 * Sweeps in the calling thread and yields to other work every few milliseconds. One-hot steps with exact sums go through
 * the `Assigner`, which keeps labels and bounds between sweeps; every other rule is swept chunk by chunk. Where kernels
 * cannot run, plain TypeScript gives the same bits.
 */
class SingleThreadEngine implements Engine {
  readonly samples: number;
  readonly features: number;
  readonly #windows: SampleWindows;
  readonly #survey: BlockSurvey;
  readonly #block: number;
  readonly #assigner: Assigner | null;
  /** Products in WebAssembly; null where kernels cannot run, or before they are needed. */
  #simd: SimdProducts | null = null;
  /** Who holds the codes: the assigner, or `#codes`. */
  #holder: "assigner" | "codes" = "codes";
  #codes: Codes | null = null;
  /** The last step of the assigner. */
  #assigned: Step | null = null;
  /** The codes before the last pass, for `revert`, or room for the next pass. */
  #spare: Codes | null = null;
  /** Room for the sums of a block, which are large and soon merged into others. */
  #spares: Float64Array[] = [];
  /** For `race`: the least dissimilarity of each sample to the prototypes seen so far. */
  #nearest: Float64Array | null = null;

  constructor(windows: SampleWindows, survey: BlockSurvey, block: number) {
    this.samples = windows.samples;
    this.features = windows.features;
    this.#windows = windows;
    this.#survey = survey;
    this.#block = block;
    this.#assigner = windows.placed && new Assigner(windows.placed);
  }

  // Own properties, so that callers can spread an engine and replace a method.

  readonly pass = async (step: Step, signal?: AbortSignal): Promise<Stats> => {
    signal?.throwIfAborted();
    if (step.rule === "survey") return this.#survey.stats(step.rank ?? 0);
    const stats =
      isExact(step) && this.#assigner !== null
        ? await this.#assign(this.#assigner, step, signal)
        : await this.#sweep(step, signal);
    if (step.rule !== "race") this.#nearest = null;
    return stats;
  };

  readonly revert = async (): Promise<void> => {
    if (this.#holder === "assigner") {
      this.#assigner!.undo();
      if (this.#spare === null) return;
      this.#holder = "codes";
    }
    [this.#codes, this.#spare] = [this.#spare, this.#codes];
  };

  readonly rows = async (ids: ArrayLike<number>): Promise<Dense> => {
    const { offset } = this.#windows;
    return this.#windows.take(Uint32Array.from(ids, (id) => id - offset));
  };

  readonly gather = async (): Promise<Codes> => {
    const codes = this.#held();
    if (codes === null) throw new OptionError("codes", null, "no pass has assigned anything yet");
    // The assigner's codes are a copy already.
    return this.#holder === "assigner" ? codes : copyCodes(codes, this.samples);
  };

  readonly scatter = async (codes: Codes): Promise<void> => {
    this.#hold(copyCodes(codes, this.samples), null);
  };

  readonly close = async (): Promise<void> => {
    this.#codes = this.#spare = this.#nearest = null;
    this.#spares = [];
    await this.#windows.close();
  };

  #held(): Codes | null {
    return this.#holder === "assigner" ? this.#assigner!.codes() : this.#codes;
  }

  #hold(codes: Codes | null, spare: Codes | null): void {
    this.#codes = codes;
    this.#spare = spare;
    this.#holder = "codes";
  }

  /** One-hot rules with exact sums: only samples whose label the bounds leave in doubt are read. */
  async #assign(assigner: Assigner, step: Step, signal?: AbortSignal): Promise<Stats> {
    const { samples, offset, resident } = this.#windows;
    // The assigner can undo a step like the one before; for any other, the codes are kept here.
    const before = this.#holder === "assigner" && isAlike(this.#assigned!, step) ? null : this.#held();
    if (before?.labels) assigner.expect(before);
    assigner.begin(step);
    try {
      for (let from = 0, to = 0; from < samples; from = to) {
        if (resident) {
          to = Math.min(from + assigner.span, samples);
          assigner.sweeper.sweep(from, to);
        } else {
          to = this.#windows.windowEnd(from, Math.min(from + assigner.chunk, samples));
          await this.#assignWindow(assigner, from, to);
        }
        const pause = yieldIfDue();
        if (pause !== null) {
          await pause;
          signal?.throwIfAborted();
        }
      }
    } catch (error) {
      assigner.undo();
      if (before !== null) this.#hold(before, null);
      throw error;
    }
    this.#hold(null, before);
    this.#holder = "assigner";
    this.#assigned = step;
    const stats = emptyStats(step.rank ?? 0);
    pushStats(stats, offset / this.#block, 0, assigner.finish());
    stats.kernel = assigner.kernel;
    return stats;
  }

  async #assignWindow(assigner: Assigner, from: number, to: number): Promise<void> {
    const { sweeper } = assigner;
    const count = sweeper.look(from, to);
    if (count === 0) return;
    const wait = this.#windows.load(from, to, sweeper.listed(count));
    if (wait) await wait;
    assigner.aim();
    sweeper.decide(count);
  }

  /** Every other rule: block by block, window by window, chunk by chunk. */
  async #sweep(step: Step, signal?: AbortSignal): Promise<Stats> {
    const { samples, features, precision, offset, viewed, gaps } = this.#windows;
    const form = FORM[step.rule];
    const race = step.rule === "race";
    const before = race ? null : this.#held();
    const ready = prepareStep(step, features, precision, before, gaps);
    if (race) this.#nearest ??= new Float64Array(samples).fill(Number.POSITIVE_INFINITY);
    this.#simd ??= viewed && new SimdProducts(viewed);
    this.#simd?.begin(step, ready.prepared);
    const next = form === null ? before : this.#roomFor(step, form);
    const stats = emptyStats(step.rank ?? (race ? 1 : 0));
    // Exact sums need no tree: kernels sum all blocks in one place, and the first block, into which the others are merged, gets them.
    const whole = this.#simd !== null && ready.prepared?.float32?.grid !== undefined;
    let first: Sums | null = null;
    for (let from = 0; from < samples; from += this.#block) {
      const layout = whole && first !== null ? { ...ready.layout, XHt: 0 } : ready.layout;
      const sums: Sums = zeroSums(layout, this.#spares);
      first ??= sums;
      const end = Math.min(from + this.#block, samples);
      for (let start = from, stop = from; start < end; start = stop) {
        stop = this.#windows.windowEnd(start, end);
        const wait = this.#windows.load(start, stop);
        if (wait) await wait;
        for (let at = start; at < stop; at += CHUNK) {
          this.#sweepChunk(ready, before, next, at, Math.min(at + CHUNK, stop), sums);
          const pause = yieldIfDue();
          if (pause !== null) {
            await pause;
            signal?.throwIfAborted();
          }
        }
      }
      this.#simd?.finish(sums, whole);
      closeLoss(sums);
      pushStats(stats, (offset + from) / this.#block, 0, sums, this.#spares);
    }
    if (whole && first !== null) this.#simd?.finish(first);
    if (form !== null) this.#hold(next, before);
    stats.kernel = this.#nameKernel(ready);
    return stats;
  }

  #sweepChunk(
    ready: PreparedStep,
    before: Codes | null,
    next: Codes | null,
    from: number,
    to: number,
    sums: Sums,
  ): void {
    const { features, weights, gaps, offset } = this.#windows;
    const { rows, first } = this.#windows.view(from, to);
    const products = this.#simd ?? plainProducts(rows, gaps);
    if (this.#simd === null) products.begin(ready.step, ready.prepared);
    const shard = {
      rows,
      products,
      features,
      norms: this.#survey.norms.subarray(first),
      weights: weights?.subarray(first) ?? null,
      gaps,
      offset: offset + first,
      nearest: () => this.#nearest!.subarray(first),
    };
    sweep(shard, ready, codesFrom(before, first), codesFrom(next, first), from - first, to - first, sums);
  }

  #nameKernel({ prepared }: PreparedStep): string {
    const { precision, viewed } = this.#windows;
    if (viewed === null) return PLAIN_KERNEL;
    return nameKernel({ storage: viewed.sparse ? "CSR" : "dense", precision, products: prepared?.float32 ? 32 : 64 });
  }

  /** Where the codes of a step go: into the kernels' memory, over those before the last pass, or into new arrays. */
  #roomFor({ k }: Step, form: Form): Codes {
    const { samples, resident } = this.#windows;
    const stored = resident && this.#holder === "codes" ? this.#simd?.storeCodes(this.#codes) : null;
    if (stored) return stored;
    const spare = this.#spare;
    const fits = spare !== null && !(spare instanceof StoredCodes) && spare.form === form && spare.k === k;
    return fits ? spare : allocateCodes(form, samples, k);
  }
}

/** Whether the assigner takes a step: a one-hot one with exact sums. */
export function isExact({ rule, grid }: Step): boolean {
  return (rule === "cosine" || rule === "distance") && grid !== undefined;
}

/** Whether the assigner goes on from the labels of step a in step b. */
export function isAlike(a: Step, b: Step): boolean {
  return a.rule === b.rule && a.k === b.k && (a.unit ?? false) === (b.unit ?? false);
}

function copyCodes(codes: Codes, samples: number): Codes {
  const { form, k, labels } = codes;
  if (codes instanceof StoredCodes) return { form, k, labels, values: codes.read() };
  const { values } = codes;
  const copy = allocateCodes(form, samples, k);
  copy.labels?.set(labels!);
  copy.values?.set(values!);
  return copy;
}

/** The codes from sample `first` on; a view. */
function codesFrom(codes: Codes | null, first: number): Codes | null {
  if (codes === null || first === 0) return codes;
  const { form, k, labels, values } = codes;
  return {
    form,
    k,
    labels: labels?.subarray(first) ?? null,
    values: values?.subarray(form === "real" ? first * k : first) ?? null,
  };
}
