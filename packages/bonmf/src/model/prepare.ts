import type { Source } from "../engine/source.js";
import { runSteps, yieldNow } from "../engine/yield.js";
import { DataError, describePlace, OptionError, quote } from "../errors.js";
import { METHODS, takesSigned } from "../factor/methods/index.js";
import { checkSomeKnown, findGaps, spread } from "../matrix/gaps.js";
import { findLargest } from "../matrix/magnitude.js";
import { checkValues, type Matrix, placeOf, type Samples, toMatrix } from "../matrix/matrix.js";
import { checkDense } from "../scale/map.js";
import { learnSteps, restoreScaler, type ScaleName, type Scaler } from "../scale/scaler.js";
import { summariseFeatures } from "../scale/summary.js";
import { chooseScale } from "./auto-scale.js";
import { chooseSource } from "./engine-choice.js";
import { checkMissing, checkNames, checkWeights, DEFAULTS, type FitOptions } from "./options.js";

/** Samples in memory that are ready for a fit. */
export interface PreparedSamples extends Prepared {
  readonly scaled: Matrix;
  readonly weights: Float64Array | null;
}

/** Samples ready for a fit. `check` names the bad value where only the engine has noticed one. */
export interface Prepared {
  readonly source: Source;
  readonly scaler: Scaler;
  /** Why the scaler was chosen, where it was. */
  readonly reason?: string | undefined;
  readonly check?: () => void;
}

export function isSource(X: Samples | Source): X is Source {
  return typeof X === "object" && X !== null && "open" in X;
}

export function takeSource(source: Source, options: Pick<FitOptions, "scale" | "weights" | "engine">): Prepared {
  const { scale, weights, engine } = options;
  const remedy = "a source has its own: set them there";
  if (engine !== undefined) throw new OptionError("engine", engine, `engine cannot be given to a source: ${remedy}`);
  if (scale !== undefined) throw new OptionError("scale", scale, `scale cannot be applied to a source: ${remedy}`);
  if (weights !== undefined) {
    throw new OptionError("weights", weights, `weights cannot be given to a source: ${remedy}`);
  }
  return { source, scaler: source.scaler ?? restoreScaler("none", source.features, {}) };
}

/** Milliseconds of work between two turns of the event loop. */
const TURN = 12;

/** Lets timers, input and abort signals have a turn between two passes over many samples. */
function makePause(signal: AbortSignal | undefined): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < TURN) return;
    await yieldNow();
    signal?.throwIfAborted();
    last = performance.now();
  };
}

/** Checks and scales samples in memory. */
export async function prepareSamples(X: Samples, options: FitOptions): Promise<PreparedSamples> {
  const pause = makePause(options.signal);
  const masked = checkMissing(options) === "mask";
  const given = toMatrix(X, options.precision);
  const featureNames = checkNames(options.featureNames, given.features) ?? undefined;
  const { scale, reason } = resolveScale(given, options);
  const raw = masked ? openForScaling(given, scale) : given;
  const { method = DEFAULTS.method, update = DEFAULTS.update } = options;
  const signed = Object.hasOwn(METHODS, method) && takesSigned(method, update);
  const check = () => checkValues(raw, { signed: signed || scale !== "none", featureNames, gaps: masked });
  // The engine reads every value of 32-bit samples anyway. It finds a bad one sooner, and `check` then names it.
  const unchecked = scale === "none" && raw.precision === "f32" && raw.samples * raw.features > 0;
  if (!signed && (scale === "standard" || scale === "lift")) {
    const who = update === "multiplicative" ? `update: "${update}"` : `method ${quote(method)}`;
    const message = `scale: ${quote(scale)} gives negative values, which ${who} cannot take: choose "split" or "minmax"`;
    throw new OptionError("scale", scale, message);
  }
  await pause();
  if (!unchecked) check();
  const separated = masked ? findGaps(raw) : { X: raw, gaps: null };
  // Every sample and every feature must have a known value.
  if (separated.gaps !== null) checkSomeKnown(separated.gaps, { columns: true, featureNames });
  await pause();
  const weights = checkWeights(options.weights, raw.samples);
  const scaler =
    scale === "none"
      ? restoreScaler(scale, raw.features, {})
      : await runSteps(learnSteps(scale, raw, weights ?? undefined, options.featureGroups), options.signal);
  await pause();
  const scaled = scaler.transform(raw);
  await pause();
  if (scaled !== raw) checkValues(scaled, { signed, gaps: masked });
  await pause();
  const { X: Z, gaps } = scaled === raw ? separated : masked ? findGaps(scaled) : { X: scaled, gaps: null };
  const source = await chooseSource(Z, { weights, gaps, unchecked }, { ...options, method });
  return { source, scaler, reason, scaled: Z, weights, ...(unchecked && { check }) };
}

/** Samples with gaps as a scaler takes them: one that moves zeros must see which values are missing. */
export function openForScaling(X: Matrix, scale: ScaleName): Matrix {
  if (X.kind === "dense" || scale === "none" || scale === "exponent") return X;
  checkDense(X, X.features);
  return spread(X);
}

/** The scaler's name, and why where the fit chose it. */
function resolveScale(X: Matrix, options: FitOptions): { scale: ScaleName; reason?: string } {
  const { scale = DEFAULTS.scale, featureNames } = options;
  if (scale !== "auto") return { scale };
  const gaps = options.missing === "mask";
  checkValues(X, { signed: true, featureNames, gaps });
  return chooseScale(summariseFeatures(X), options);
}

/** Says where the largest value is, for an error that only knows how large it is. */
export function placeLargest(X: Matrix, error: DataError, featureNames: readonly string[] | undefined): DataError {
  if (error.place.sample !== undefined) return error;
  const { at, largest } = findLargest(X);
  const found = placeOf(X, at);
  const place = { ...found, featureName: featureNames?.[found.feature], value: largest };
  return new DataError(error.code, `${describePlace(place)}: ${error.message}`, place);
}
