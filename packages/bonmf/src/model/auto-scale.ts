import { METHODS, takesSigned } from "../factor/methods/index.js";
import { isOutOfReach, reachOf } from "../factor/reach.js";
import type { MethodName } from "../factor/settings.js";
import { MOST_VALUES } from "../scale/map.js";
import type { ScaleName } from "../scale/scaler.js";
import type { FeatureSummary } from "../scale/summary.js";

/** Below this share of non-zeros samples are sparse: text, clicks, events. */
const SPARSE = 0.1;
/** Numbered features are one scale only if they are many: two numbered columns may be anything. */
const MANY = 16;
/** Signed features of one scale are the coordinates of an embedding if they are at least this many. */
const EMBEDDING = 64;

/** What is known of the samples besides their values. */
export interface ScaleHints {
  /** The algorithm. Default `bonmf`. */
  method?: MethodName | undefined;
  /** For `bonmf`. Default `mean`. */
  update?: "mean" | "multiplicative" | undefined;
  /** m names of the features. */
  featureNames?: readonly string[] | null | undefined;
  /** m whole numbers; features with the same one, 0 or more, are the values of one category. */
  featureGroups?: ArrayLike<number> | null | undefined;
  /** The samples are known to be texts, or to have one unit, such as pictures and embeddings. */
  kind?: "text" | "one-unit" | "table" | undefined;
}

/** A scaler and why it was chosen. */
export interface ScaleChoice {
  readonly scale: ScaleName;
  /** One sentence without a full stop, such as "the features have different units". */
  readonly reason: string;
}

/**
 * Chooses a scaler: samples that are mostly zeros, and 16 or more numbered or nameless features on one scale, have one
 * unit and stay as they are; everything else is standardised; texts are tfidf. Names and categories decide before
 * values do, so that another unit for a feature of a table changes nothing.
 *
 * @example
 * ```ts
 * import { chooseScale, Dense, summariseFeatures } from "bonmf";
 * const X = Dense.from([[39.1, 3750], [46.5, 3500], [49.9, 5700]]);
 * chooseScale(summariseFeatures(X), { featureNames: ["bill_mm", "mass_g"] }); // → { scale: "lift", reason: "the features have different units" }
 * ```
 */
export function chooseScale(summary: FeatureSummary, hints: ScaleHints = {}): ScaleChoice {
  if (hints.kind === "text") return { scale: "tfidf", reason: "the samples are texts" };
  const unit = findUnit(summary, hints);
  if (unit === null) return { scale: standardFor(hints), reason: "the features have different units" };
  const { method = "bonmf", update } = hints;
  const signed = Array.prototype.some.call(summary.min, (least: number) => least < 0);
  if (signed && !takesSigned(method, update)) return { scale: "split", reason: `${unit}, with negative values` };
  const largest = largestOf(summary);
  return isOutOfReach(largest, summary.features, reachOf(METHODS[method].rule, "f32"))
    ? { scale: "exponent", reason: `${unit}, and the largest value is ${largest.toPrecision(3)}` }
    : { scale: "none", reason: unit };
}

function largestOf({ features, min, max }: FeatureSummary): number {
  let largest = 0;
  for (let f = 0; f < features; f++) largest = Math.max(largest, -min[f], max[f]);
  return largest;
}

/** By angle the constant feature of `lift` keeps the distances; by distance it would change nothing. */
function standardFor({ method = "bonmf", update }: ScaleHints): ScaleName {
  if (!takesSigned(method, update)) return "split";
  return METHODS[method].fit === "distance" ? "standard" : "lift";
}

/** Why all features have one unit; null if they do not. */
function findUnit(summary: FeatureSummary, hints: ScaleHints): string | null {
  const { samples, features, min, max, density, whole } = summary;
  if (hints.kind === "one-unit") return "the features have one unit";
  if (hasCategories(hints.featureGroups)) return null;
  const largest = largestOf(summary);
  const signed = Array.prototype.some.call(min, (least: number) => least < 0);
  if (!signed && density < SPARSE) return "the samples are sparse";
  if (!signed && whole && density < 0.5 && features >= MANY) return "the features are counts, most of them 0";
  if (density < 0.5 && samples * features > MOST_VALUES) return "the samples are sparse and too many to be made dense";
  if (features < (signed ? EMBEDDING : MANY) || !areNumbered(hints.featureNames)) return null;
  let varying = 0;
  let alike = 0;
  for (let f = 0; f < features; f++) {
    if (min[f] === max[f]) continue;
    varying++;
    const reaches = Math.max(-min[f], max[f]) >= largest / 2;
    if (reaches && (signed || min[f] === 0)) alike++;
  }
  return alike >= varying / 2 && varying > 0 ? "the features are numbered and on one scale" : null;
}

function hasCategories(groups: ArrayLike<number> | null | undefined): boolean {
  const named = Array.from(groups ?? []).filter((group) => group >= 0);
  return new Set(named).size < named.length;
}

/** Whether names are absent, or differ in their numbers alone: pixel0, pixel1 … */
function areNumbered(names: readonly string[] | null | undefined): boolean {
  if (!names) return true;
  const stemOf = (name: string) => name.replace(/\d+/g, "");
  return names.every((name) => /\d/.test(name) && stemOf(name) === stemOf(names[0]));
}
