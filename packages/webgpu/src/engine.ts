import { type Dense, OptionError } from "bonmf";
import {
  allocateCodes,
  type Codes,
  type Engine,
  emptyStats,
  FORM,
  type Matrix,
  pushStats,
  type Stats,
  type Step,
} from "bonmf/engine";
import { type GpuSurvey, surveyStats } from "./survey.js";
import type { GpuSweep } from "./sweep.js";

/** Codes of all samples, wherever they are kept. */
interface Held {
  /** The step that found them on the GPU, and finds them anywhere; null: they came from elsewhere. */
  readonly step: Step | null;
  /** A copy, where the CPU's engine had to give them up. */
  saved: Codes | null;
  /** No pass has assigned anything yet. */
  readonly empty: boolean;
}

/** What an engine on the GPU is made of. */
export interface GpuEngineParts {
  readonly X: Matrix;
  readonly sweep: GpuSweep;
  /** Called once, when it is first asked for. Null: the CPU's engine answers `survey` steps. */
  readonly survey: (() => Promise<GpuSurvey>) | null;
  readonly openCpu: () => Promise<Engine>;
  /** Called once, when the GPU has failed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * An engine that labels samples on the GPU and leaves the rest to the CPU's engine, which opens when it is first needed: for draws,
 * rankings, codes that are no labels. Where the GPU fails, the CPU's engine finds the last labels again, which follow from W alone,
 * and goes on.
 */
export class GpuEngine implements Engine {
  readonly samples: number;
  readonly features: number;
  readonly #X: Matrix;
  #survey: (() => Promise<GpuSurvey>) | null;
  #surveyed: GpuSurvey | null = null;
  readonly #openCpu: () => Promise<Engine>;
  readonly #onFailure: (error: unknown) => void;
  #opened: Promise<Engine> | null = null;
  #sweep: GpuSweep | null;
  /** The codes at hand, and those before the last pass. */
  #now: Held = { step: null, saved: null, empty: true };
  #before: Held | null = null;
  /** What the CPU's engine has, and would go back to. */
  #onCpu: Held = this.#now;
  #cpuBefore: Held | null = null;
  /** The same of the GPU. */
  #onGpu: Held | null = null;
  #gpuBefore: Held | null = null;
  /** A pass that is no draw ends a series of draws; the CPU's engine does not see those on the GPU. */
  #drawsEnded = false;

  constructor({ X, sweep, survey, openCpu, onFailure }: GpuEngineParts) {
    this.samples = X.samples;
    this.features = X.features;
    this.#X = X;
    this.#survey = survey;
    this.#openCpu = openCpu;
    this.#sweep = sweep;
    this.#onFailure = onFailure;
  }

  // Own properties, so that callers can spread an engine and replace a method.

  readonly pass = async (step: Step, signal?: AbortSignal): Promise<Stats> => {
    signal?.throwIfAborted();
    if (this.#sweep !== null && isForGpu(step)) {
      const stats = await this.#passOnGpu(this.#sweep, step, signal);
      if (stats !== null) return stats;
    }
    return this.#passOnCpu(step, signal);
  };

  readonly revert = async (): Promise<void> => {
    const before = this.#before;
    if (before === null) return;
    if (this.#onCpu === this.#now && this.#cpuBefore === before) {
      await (await this.#cpu()).revert();
      this.#onCpu = before;
    }
    if (this.#sweep !== null && this.#onGpu === this.#now && this.#gpuBefore === before) {
      this.#sweep.revert();
      this.#onGpu = before;
    }
    this.#cpuBefore = this.#gpuBefore = this.#before = null;
    this.#now = before;
  };

  readonly rows = async (ids: ArrayLike<number>): Promise<Dense> => this.#X.take(ids).toDense();

  readonly gather = async (): Promise<Codes> => {
    if (this.#now.empty) throw new OptionError("codes", null, "no pass has assigned anything yet");
    return (await this.#fetch()) ?? (await this.#cpu()).gather();
  };

  readonly scatter = async (codes: Codes): Promise<void> => {
    await (await this.#cpu()).scatter(codes);
    this.#now = this.#onCpu = { step: null, saved: null, empty: false };
    this.#before = this.#cpuBefore = null;
  };

  readonly close = async (): Promise<void> => {
    this.#sweep?.close();
    this.#sweep = null;
    await (await this.#opened)?.close();
  };

  #cpu(): Promise<Engine> {
    this.#opened ??= this.#openCpu();
    return this.#opened;
  }

  /** Null where the step is nothing for the GPU, or the GPU has failed. */
  async #passOnGpu(sweep: GpuSweep, step: Step, signal?: AbortSignal): Promise<Stats | null> {
    try {
      if (this.#onGpu !== this.#now) {
        const codes = this.#now.empty ? null : (this.#now.saved ?? (await (await this.#cpu()).gather()));
        sweep.setLabels(codes?.labels ?? null);
        this.#onGpu = this.#now;
        this.#gpuBefore = null;
      }
      const sums = await sweep.run(step, signal);
      if (sums === null) return null;
      this.#before = this.#gpuBefore = this.#now;
      this.#now = this.#onGpu = { step, saved: null, empty: false };
      this.#drawsEnded = true;
      const stats = emptyStats(step.rank ?? 0);
      pushStats(stats, 0, 0, sums);
      stats.kernel = sweep.kernelFor(step.k);
      return stats;
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw error;
      this.#giveUp(error);
      return null;
    }
  }

  async #passOnCpu(step: Step, signal?: AbortSignal): Promise<Stats> {
    if (step.rule === "survey") return this.#look(step, signal);
    const cpu = await this.#cpu();
    if (step.rule === "race") {
      const first = this.#drawsEnded;
      this.#drawsEnded = false;
      return cpu.pass(first ? { ...step, fresh: true } : step, signal);
    }
    await this.#sync();
    const stats = await cpu.pass(step, signal);
    if (FORM[step.rule] === null) return stats;
    this.#before = this.#cpuBefore = this.#now;
    this.#now = this.#onCpu = { step: null, saved: null, empty: false };
    return stats;
  }

  async #look(step: Step, signal?: AbortSignal): Promise<Stats> {
    if (this.#surveyed === null && this.#survey !== null) {
      try {
        this.#surveyed = await this.#survey();
      } catch (error) {
        this.#giveUp(error);
      }
    }
    if (this.#surveyed !== null) return surveyStats(this.#surveyed, step.rank ?? 0);
    return (await this.#cpu()).pass(step, signal);
  }

  /** The codes at hand, if the CPU's engine has none of them. */
  async #fetch(): Promise<Codes | null> {
    if (this.#onCpu === this.#now) return null;
    if (this.#now.saved) return copyCodes(this.#now.saved, this.samples);
    const { step } = this.#now;
    if (this.#sweep !== null && this.#onGpu === this.#now && step !== null) {
      try {
        const codes = allocateCodes("labels", this.samples, step.k);
        codes.labels!.set(await this.#sweep.labels());
        return codes;
      } catch (error) {
        this.#giveUp(error);
      }
    }
    await this.#findAgain();
    return null;
  }

  /** Gives the CPU's engine the codes at hand. */
  async #sync(): Promise<void> {
    if (this.#now.empty) return;
    const codes = await this.#fetch();
    if (codes === null) return;
    await this.#keep();
    await (await this.#cpu()).scatter(codes);
    this.#onCpu = this.#now;
    this.#cpuBefore = null;
  }

  /** Labels that the GPU had: a sweep of the CPU finds the same. */
  async #findAgain(): Promise<void> {
    const { step } = this.#now;
    if (step === null) throw new OptionError("codes", null, "the codes are lost");
    await this.#keep();
    await (await this.#cpu()).pass(step);
    this.#onCpu = this.#now;
    this.#cpuBefore = null;
  }

  /** Saves what the CPU's engine has, where nothing else does and it may still be wanted. */
  async #keep(): Promise<void> {
    const held = this.#onCpu;
    if (held === this.#before && held.step === null && !held.empty) held.saved = await (await this.#cpu()).gather();
  }

  #giveUp(error: unknown): void {
    this.#sweep?.close();
    this.#sweep = this.#survey = null;
    this.#onGpu = this.#gpuBefore = null;
    this.#onFailure(error);
  }
}

function isForGpu(step: Step): boolean {
  return (step.rule === "cosine" || step.rule === "distance") && step.grid !== undefined;
}

function copyCodes({ form, k, labels, values }: Codes, samples: number): Codes {
  const copy = allocateCodes(form, samples, k);
  copy.labels?.set(labels!);
  copy.values?.set(values!);
  return copy;
}
