import { OptionError } from "../errors.js";
import type { Placed } from "../kernel/region.js";
import { Assigner } from "../kernel/simd/pruned-assignment.js";
import type { SweepPlan } from "../kernel/simd/span-sweeper.js";
import { type Codes, FORM, type Step } from "../kernel/step.js";
import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Engine, RemoteEngine } from "./engine.js";
import { isAlike, isExact } from "./single-thread.js";
import { emptyStats, pushStats, type Stats } from "./stats.js";
import { doUnit, JOB } from "./worker/assist.js";
import { JobBoard } from "./worker/job-board.js";
import { yieldIfDue, yieldNow } from "./yield.js";

/** Another thread with its part of the samples. */
interface Helper {
  readonly engine: RemoteEngine;
  /** While it listens for jobs. */
  listening: Promise<void> | null;
}

/**
 * Samples in a memory that all threads share. One-hot steps with exact sums are jobs that the threads take units of, whoever has time
 * (`JobBoard`): no message is sent and nothing copied between two sweeps. Every other step goes to a pool, in which each thread has
 * a part of the same samples.
 */
export class TeamEngine implements Engine {
  readonly samples: number;
  readonly features: number;
  readonly #X: Matrix;
  readonly #pool: Engine;
  readonly #helpers: readonly Helper[];
  readonly #assigner: Assigner;
  readonly #board: JobBoard;
  readonly #boardAt: number;
  #plans: readonly SweepPlan[] = [];
  #ticket = 0;
  /** Why a helper is lost. */
  #lost: unknown = null;
  /** Who holds the codes; null: nobody has any yet. */
  #holder: "assigner" | "pool" | null = null;
  /** Whether the pool has the assigner's codes, too. */
  #copied = false;
  /** The last step of the assigner. */
  #assigned: Step | null = null;
  /** The codes before its last step, where it cannot undo that alone. */
  #spare: Codes | null = null;

  /**
   * @param X the samples, in the memory
   * @param placed the same, for kernels
   * @param pool parts of them, in the threads
   * @param remotes those of the parts that are in workers
   */
  constructor(X: Matrix, placed: Placed, pool: Engine, remotes: readonly RemoteEngine[]) {
    this.samples = X.samples;
    this.features = X.features;
    this.#X = X;
    this.#pool = pool;
    this.#helpers = remotes.map((engine) => ({ engine, listening: null }));
    this.#assigner = new Assigner(placed, remotes.length);
    this.#boardAt = placed.region.reserve(JobBoard.bytes(this.#threads));
    this.#board = new JobBoard(placed.region, this.#boardAt, this.#threads);
    // Nobody may join a job that was not posted.
    this.#board.close();
  }

  // Own properties, so that callers can spread an engine and replace a method.

  readonly pass = async (step: Step, signal?: AbortSignal): Promise<Stats> => {
    signal?.throwIfAborted();
    if (isExact(step)) return this.#assign(step, signal);
    await this.#dismiss();
    if (step.rule !== "survey") await this.#copyCodes();
    const stats = await this.#pool.pass(step, signal);
    if (FORM[step.rule] !== null) this.#holder = "pool";
    return stats;
  };

  readonly revert = async (): Promise<void> => {
    if (this.#holder === "assigner") {
      this.#assigner.undo();
      this.#copied = false;
      if (this.#spare !== null) await this.scatter(this.#spare);
    } else {
      await this.#dismiss();
      await this.#pool.revert();
    }
  };

  readonly rows = async (ids: ArrayLike<number>): Promise<Dense> => this.#X.take(ids).toDense();

  readonly gather = async (): Promise<Codes> => {
    const codes = await this.#held();
    if (codes === null) throw new OptionError("codes", null, "no pass has assigned anything yet");
    return codes;
  };

  readonly scatter = async (codes: Codes): Promise<void> => {
    await this.#dismiss();
    await this.#pool.scatter(codes);
    this.#holder = "pool";
  };

  readonly close = async (): Promise<void> => {
    await this.#dismiss();
    await this.#pool.close();
  };

  get #threads(): number {
    return 1 + this.#helpers.length;
  }

  /** A copy of the codes. */
  async #held(): Promise<Codes | null> {
    if (this.#holder === "assigner") return this.#assigner.codes();
    if (this.#holder === null) return null;
    await this.#dismiss();
    return this.#pool.gather();
  }

  /** Gives the pool the codes that the assigner holds. */
  async #copyCodes(): Promise<void> {
    if (this.#holder !== "assigner" || this.#copied) return;
    const codes = this.#assigner.codes();
    if (codes !== null) await this.#pool.scatter(codes);
    this.#copied = true;
  }

  async #assign(step: Step, signal?: AbortSignal): Promise<Stats> {
    const assigner = this.#assigner;
    const goesOn = this.#holder === "assigner" && isAlike(this.#assigned!, step);
    const before = goesOn ? null : await this.#held();
    if (before?.labels) assigner.expect(before);
    assigner.begin(step);
    await this.#enlist(assigner.plans);
    this.#copied = false;
    try {
      await this.#perform(JOB.sweep, assigner.units, signal);
      await this.#perform(JOB.gather, step.k, signal);
    } catch (error) {
      assigner.undo();
      if (before !== null) await this.scatter(before);
      throw error;
    }
    this.#spare = before;
    this.#holder = "assigner";
    this.#assigned = step;
    const stats = emptyStats(step.rank ?? 0);
    pushStats(stats, 0, 0, assigner.finish());
    stats.kernel = assigner.kernel;
    return stats;
  }

  /** Does a job together with whoever joins. Nobody is at work on it when this ends, whatever happens. */
  async #perform(kind: number, units: number, signal?: AbortSignal): Promise<void> {
    const board = this.#board;
    const { sweeper } = this.#assigner;
    board.post(kind, units);
    try {
      for (let unit = board.claim(0); unit >= 0; unit = board.claim(0)) {
        doUnit(sweeper, kind, unit);
        const pause = yieldIfDue();
        if (pause !== null) {
          await pause;
          signal?.throwIfAborted();
        }
      }
      if (kind === JOB.sweep) sweeper.end();
    } finally {
      board.cancel();
      await this.#rest();
    }
    if (board.failed) await this.#dismiss();
    if (this.#lost !== null) throw this.#lost;
  }

  /** Waits for those who have joined. A worker that was lost among them says so by an event. */
  async #rest(): Promise<void> {
    while (!this.#board.close() && this.#lost === null) await yieldNow();
  }

  /** Has all helpers listen. One that is late finds less to do. */
  async #enlist(plans: readonly SweepPlan[]): Promise<void> {
    if (this.#plans !== plans) await this.#dismiss();
    this.#plans = plans;
    this.#helpers.forEach((helper, h) => {
      if (helper.listening !== null) return;
      const about = { board: this.#boardAt, threads: this.#threads, thread: h + 1, ticket: ++this.#ticket };
      const end = (): void => {
        helper.listening = null;
      };
      helper.listening = helper.engine.assist({ ...about, plan: plans[h + 1] }).then(end, (error: unknown) => {
        this.#lost ??= error;
        end();
      });
    });
  }

  /** Has all helpers turn to their messages. */
  async #dismiss(): Promise<void> {
    const listening = this.#helpers.flatMap((helper) => helper.listening ?? []);
    if (listening.length === 0) return;
    this.#board.dismiss(this.#ticket);
    await Promise.all(listening);
  }
}
