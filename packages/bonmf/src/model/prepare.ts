import { memorySource } from "../engine/in-memory.js";
import type { Source } from "../engine/source.js";
import { OptionError, quote } from "../errors.js";
import { METHODS, takesSigned } from "../factor/methods/index.js";
import { checkValues, type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { fitScaler, restoreScaler, type ScaleName, type Scaler } from "../scale/scaler.js";
import { summariseFeatures } from "../scale/summary.js";
import { chooseScale } from "./auto-scale.js";
import { checkNames, checkWeights, DEFAULTS, type FitOptions } from "./options.js";

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

export function takeSource(source: Source, { scale, weights }: Pick<FitOptions, "scale" | "weights">): Prepared {
  const remedy = "a source has its own: set them there";
  if (scale !== undefined) throw new OptionError("scale", scale, `scale cannot be applied to a source: ${remedy}`);
  if (weights !== undefined) {
    throw new OptionError("weights", weights, `weights cannot be given to a source: ${remedy}`);
  }
  return { source, scaler: source.scaler ?? restoreScaler("none", source.features, {}) };
}

/** Checks and scales samples in memory. */
export function prepareSamples(X: Samples, options: FitOptions): Prepared {
  const raw = toMatrix(X, options.precision);
  const featureNames = checkNames(options.featureNames, raw.features) ?? undefined;
  const { scale, reason } = resolveScale(raw, options);
  const { method = DEFAULTS.method, update = DEFAULTS.update } = options;
  const signed = method in METHODS && takesSigned(method, update);
  const check = () => checkValues(raw, { signed: signed || scale !== "none", featureNames });
  // The engine reads every value of 32-bit samples anyway. It finds a bad one sooner, and `check` then names it.
  const unchecked = scale === "none" && raw.precision === "f32" && raw.samples * raw.features > 0;
  if (!signed && (scale === "standard" || scale === "lift")) {
    const who = update === "multiplicative" ? `update: "${update}"` : `method ${quote(method)}`;
    const message = `scale: ${quote(scale)} gives negative values, which ${who} cannot take: choose "split" or "minmax"`;
    throw new OptionError("scale", scale, message);
  }
  if (!unchecked) check();
  const weights = checkWeights(options.weights, raw.samples);
  const scaler =
    scale === "none"
      ? restoreScaler(scale, raw.features, {})
      : fitScaler(scale, raw, weights ?? undefined, options.featureGroups);
  const scaled = scaler.transform(raw);
  if (scaled !== raw) checkValues(scaled, { signed });
  const source = memorySource(scaled, weights, unchecked);
  return { source, scaler, reason, ...(unchecked && { check }) };
}

/** The scaler's name, and why where the fit chose it. */
function resolveScale(X: Matrix, options: FitOptions): { scale: ScaleName; reason?: string } {
  const { scale = DEFAULTS.scale, featureNames } = options;
  if (scale !== "auto") return { scale };
  checkValues(X, { signed: true, featureNames });
  return chooseScale(summariseFeatures(X), options);
}
