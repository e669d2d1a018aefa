import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import { type Survey, surveyData } from "../engine/survey.js";
import { DataError } from "../errors.js";
import { chooseRun, refinesIn32Bits } from "../kernel/choose.js";
import { encodingStep, labelCodes, productStep } from "../kernel/encode.js";
import type { Codes, Labels, Step } from "../kernel/step.js";
import { powerAbove, type Sums } from "../kernel/sums.js";
import { hasGaps, lossOfKnown, methodOfKnown, refillKnown, singleErrorOfLabels } from "./known.js";
import type { Method, State } from "./method.js";
import { methodOf, takesSigned } from "./methods/index.js";
import { weightsOfH } from "./penalty.js";
import { checkReach } from "./reach.js";
import { emptyClusters, repairEmpty, reviveDead } from "./repair.js";
import { countLongest, seedRun } from "./seed.js";
import type { Run, Settings } from "./settings.js";
import { errorOf, lossOf, singleErrorOf } from "./update.js";

/** One iteration, as the history keeps it. */
export interface Moment {
  /** Counts from 1. */
  readonly iteration: number;
  /** The method's own objective: see its table row for what it is and whether it rises or falls. */
  readonly potential: number;
  /** ‖X − WH‖ / ‖X‖. */
  readonly relativeError: number;
  /** How many samples' codes changed. */
  readonly changed: number;
  /** A fingerprint of all labels; 0 for real-valued codes. */
  readonly fingerprint: number;
}

/** Why a run ended. */
export type Stopped = "fixed-point" | "tolerance" | "cycle" | "iterations" | "aborted";

/** What a watcher sees after each sweep. */
export interface Progress extends Moment {
  /** k × m, prototype j contiguous; a live view: copy it to keep it. */
  readonly W: Float64Array;
  /** The diagonal of HHᵀ: for plain labels, the weight of each cluster's members. */
  readonly weights: Float64Array;
  /** How many clusters have no members. */
  readonly empty: number;
  /** How often an empty cluster was reseeded so far. */
  readonly repairs: number;
  /** How many products of a sample and a prototype the sweep took; without bounds there are n × k. */
  readonly products: number;
}

/** Where an earlier run stopped, to continue from. */
export interface Checkpoint {
  readonly W: Float64Array;
  readonly codes: Codes;
  readonly history: readonly Moment[];
  readonly repairs: number;
}

/** A finished or interrupted run; its codes are still in the engine. */
export interface Outcome {
  readonly W: Float64Array;
  /** The diagonal of HHᵀ: for plain labels, the weight of each cluster's members. */
  readonly weights: Float64Array;
  readonly history: readonly Moment[];
  readonly repairs: number;
  readonly stopped: Stopped;
  readonly survey: Survey;
  /** The relative error of the best single prototype; null where the totals of a sweep do not tell it. */
  readonly singleError: number | null;
  /** The kernel of the last sweep; null where the engine names none, or no sweep was needed. */
  readonly kernel: string | null;
}

/** A run with its codes, and one label for each sample. */
export interface Result {
  readonly outcome: Outcome;
  readonly codes: Codes;
  readonly labels: Labels;
}

/** Iterates to the end, or to an abort, and collects the codes from the engine. Takes and throws what `iterate` does. */
export async function performRun(
  engine: Engine,
  run: Run,
  seed: number,
  watch: ((step: Progress) => unknown) | null,
  from?: Checkpoint,
): Promise<Result> {
  const outcome = await iterate(engine, run, seed, watch, from);
  const codes = await engine.gather();
  return { outcome, codes, labels: await labelTraining(engine, run.settings, outcome.W, codes) };
}

/** Real codes are the run's last iterate; the labels come from codes on the final W, as `predict` will find them. */
async function labelTraining(engine: Engine, settings: Settings, W: Float64Array, codes: Codes): Promise<Labels> {
  if (codes.labels !== null) return codes.labels;
  const { k } = settings;
  const { encode } = methodOf(settings);
  const encoded = async (step: Step) => {
    await engine.pass(step);
    return engine.gather();
  };
  const WtX = encode === "binary" ? (await encoded(productStep(W, k))).values : null;
  return labelCodes(await encoded(encodingStep(encode, W, k, weightsOfH(settings, W.length / k))), W, WtX);
}

/**
 * The one loop of every method: update W from the totals of the last sweep, sweep, measure, stop or continue. An abort
 * returns what was reached, or throws the signal's reason if no sweep was finished.
 *
 * @param seed the seed of this run; each restart has its own
 * @param watch called after every sweep and awaited
 */
export async function iterate(
  engine: Engine,
  run: Run,
  seed: number,
  watch: ((step: Progress) => unknown) | null,
  from?: Checkpoint,
): Promise<Outcome> {
  const { settings, signal } = run;
  const { k } = settings;
  const method = methodOfKnown(methodOf(settings));
  const unit = method.unit ?? false;
  const reseeds = settings.emptyClusters === "reseed" && (method.form !== "real" || method.revives === true);
  const survey = await surveyData(engine, unit, from ? 0 : countLongest(settings), signal);
  checkReach(survey.largest, engine.features, method.rule, run.precision);
  checkSigns(settings, survey);
  const history: Moment[] = [...(from?.history ?? [])];
  let repairs = from?.repairs ?? 0;
  let kernel: string | null = null;

  const exact = { unit, grid: survey.grid, weightGrid: survey.weightGrid, ...float32For(method, survey) };
  const in32Bits = exact.float32 !== undefined && run.precision === "f32";
  const sweep = async (W: Float64Array, sums: Sums | null): Promise<State> => {
    const step: Step = { rule: method.rule, k, W, ...exact, ...method.stepOf(W, sums, settings, survey) };
    const stats = await engine.pass(step, signal);
    kernel = stats.kernel ?? null;
    return { W, sums: totalStats(stats) };
  };
  /** The totals of the codes as they are. */
  const hold = async (W: Float64Array): Promise<Sums> =>
    totalStats(await engine.pass({ rule: "hold", k, W, ...exact, ...method.hold }, signal));
  const begin = async (): Promise<State> => {
    const start = await seedRun(engine, method, run, survey, seed, in32Bits ? linearIn32Bits(exact, survey) : {});
    const { W } = start;
    if (start.sums === null) return sweep(W, null);
    const sums = method.hold ? await hold(W) : start.sums;
    return sweep(method.updateW(W, sums, settings, survey, in32Bits), sums);
  };
  const restore = async ({ W, codes }: Checkpoint): Promise<State> => {
    // Labels that the engine did not return are found again: they depend on W alone.
    if (codes.labels?.length === 0) return sweep(W, null);
    await engine.scatter(codes);
    return { W, sums: await hold(W) };
  };
  const emptyOf = ({ sums }: State) => emptyClusters(method, sums, k).length;
  /** The state with its empty clusters filled, for the next W step. */
  const repair = async (): Promise<State & { readonly filled: number }> => {
    if (method.form === "real") return reviveDead(engine, method, state, k, signal);
    if (hasGaps(state.sums)) return refillKnown(engine, method, state, k, exact, signal);
    return repairEmpty(engine, method, state, k, { ...exact, signed: survey.negatives > 0 }, signal);
  };

  const singleOf = (sums: Sums) =>
    hasGaps(sums) ? singleErrorOfLabels(sums, engine.features, survey.normSq) : singleErrorOf(sums, survey);
  const outcomeOf = (stopped: Stopped): Outcome => ({
    W: state.W,
    weights: state.sums.HHt,
    history,
    repairs,
    stopped,
    survey,
    singleError: method.form === "labels" ? singleOf(state.sums) : null,
    kernel,
  });

  let state = from ? await restore(from) : await begin();
  let known = from !== undefined;
  try {
    for (;;) {
      const empty = emptyOf(state);
      if (!known) {
        const moment = measureMoment(method, settings, state, survey, history.length + 1);
        // The engine may hold labels of an earlier run: in the first sweep of this one, all labels are new.
        const fresh = history.length === 0 && method.form !== "real";
        history.push(fresh ? { ...moment, changed: engine.samples } : moment);
        const { products, HHt: weights } = state.sums;
        if (watch) await watch({ ...history[history.length - 1], W: state.W, weights, empty, repairs, products });
      }
      let stopped = history.length > 0 ? decideStop(method, settings, history) : null;
      known = false;
      let filled = 0;
      let { W, sums } = state;
      const fills = method.form === "labels" || method.revives === true;
      const ends = stopped === "fixed-point" || (stopped === "tolerance" && fills);
      if (reseeds && empty > 0 && (stopped === null || ends)) {
        // With an empty cluster it is a fixed point only if no sample can fill the cluster.
        ({ W, sums, filled } = await repair());
        if (filled > 0) stopped = history.length >= settings.maxIterations ? "iterations" : null;
      }
      if (stopped !== null) return outcomeOf(stopped);
      state = await sweep(method.updateW(W, sums, settings, survey, in32Bits), sums);
      repairs += filled;
    }
  } catch (error) {
    // A pass is all or nothing, so the state is that of the last finished sweep.
    if (signal?.aborted && error === signal.reason) return outcomeOf("aborted");
    throw error;
  }
}

/** Cosines and distances do not need X ≥ 0; factorisations with a non-negative W and H do. */
function checkSigns({ method, update }: Settings, { negatives }: Survey): void {
  if (negatives === 0 || takesSigned(method, update)) return;
  const samples = negatives === 1 ? "1 sample has" : `${negatives} samples have`;
  throw new DataError(
    "negative",
    `${samples} negative values, and ${update === "multiplicative" ? `update: "${update}"` : `method "${method}"`} needs ` +
      'values of 0 or more. Choose a scaler for signed data: scale: "split", "minmax" or "shift"',
  );
}

/**
 * Products in 32 bits, where that is safe. Codes of at most twice ‖x‖/‖w‖, in the units of kernel/prepared-prototypes, add up to no
 * more than 4 · weight · the largest value of a feature, since the mean of ‖x‖ is at most `float32`; rounding has the rest of the 8.
 */
function float32For({ rule, bounded }: Method, { normSq, weight, grid, filled }: Survey): In32Bits {
  const length = Math.sqrt(normSq / weight);
  if (!refinesIn32Bits(rule, length, weight)) return {};
  const run = chooseRun(filled / grid.length);
  return { float32: powerAbove(length), run, ...(bounded && { sumGrid: grid.map((number) => 8 * number) }) };
}

type In32Bits = Pick<Step, "float32" | "run" | "sumGrid">;

/** The same for H⁰: no code is above ‖x‖‖w‖, or its floor (kernel/prepared-prototypes). */
function linearIn32Bits(steps: In32Bits, { grid }: Survey): In32Bits {
  return { float32: steps.float32!, run: steps.run!, sumGrid: grid.map((number) => 8 * number) };
}

function measureMoment(method: Method, settings: Settings, state: State, survey: Survey, iteration: number): Moment {
  const { W, sums } = state;
  const { k } = settings;
  const { normSq } = survey;
  const whole = () => method.squaredError?.(state, survey, settings) ?? lossOf(W, sums.XHt, sums.HHt, k, normSq);
  const loss = hasGaps(sums) ? lossOfKnown(W, sums, k, normSq) : whole();
  return {
    iteration,
    potential: method.potential(state, survey, settings),
    relativeError: errorOf(loss, normSq),
    changed: sums.changed,
    fingerprint: (sums.hash0 & 0x1fffff) * 2 ** 32 + sums.hash1,
  };
}

/** A fixed point or a settled potential is convergence; a cycle, the iteration limit or an abort is not. */
export function hasConverged(stopped: Stopped): boolean {
  return stopped === "fixed-point" || stopped === "tolerance";
}

/** Whether the newest moment of the history is the last, and why; null to go on. */
export function decideStop(method: Method, settings: Settings, history: readonly Moment[]): Stopped | null {
  const now = history[history.length - 1];
  const before = history[history.length - 2];
  if (before !== undefined) {
    const settled = Math.abs(now.potential - before.potential) <= settings.tolerance * Math.abs(now.potential);
    if (method.form === "labels") {
      if (now.changed === 0) return "fixed-point";
      if (cycles(now, history)) return "cycle";
      if (settings.tolerance > 0 && settled) return "tolerance";
    } else if (method.form === "rays") {
      if (now.changed === 0 && settled) return "tolerance";
    } else if (settings.tolerance > 0 && settled) return "tolerance";
  }
  return now.iteration >= settings.maxIterations ? "iterations" : null;
}

/** The same labels and potential as at an earlier iteration, with others in between: the run would repeat for ever. */
function cycles(now: Moment, history: readonly Moment[]): boolean {
  return history.some(
    (then) => then !== now && then.fingerprint === now.fingerprint && then.potential === now.potential,
  );
}
