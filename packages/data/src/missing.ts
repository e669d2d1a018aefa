import type { Matrix } from "bonmf";
import type { TableOptions } from "./data.js";
import { UserError } from "./errors.js";
import { recordedFills } from "./fills.js";
import type { Loaded } from "./loaded.js";
import { noteRows } from "./notes.js";
import { quoteSql } from "./roles.js";

/** What to do about a missing value. */
export const MISSING_REMEDY = "fill or drop missing values with --missing median, mean, zero or drop";
/** What to do about a missing label or weight. */
export function omitUnlabelled(column: string): string {
  const known = `--sql "select * from data where ${quoteSql(column)} is not null"`;
  return `nothing can fill it: ${known} omits such rows, --missing drop all rows with gaps`;
}

/**
 * Fills or drops missing values (NaN) as --missing says, by default with the median; --strict refuses them. Fills X in
 * place.
 */
export function fillMissing(loaded: Loaded, name: string, options: TableOptions): Loaded {
  const { X } = loaded;
  const values = X.kind === "dense" ? X.data : X.values;
  const odd = findNotFinite(values);
  if (odd < 0) return loaded;
  const infinite = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
  if (infinite >= 0) {
    throw new UserError(
      `${describePlace(loaded, name, infinite)}: the value is infinite`,
      "features must be finite numbers, up to 3.4e38",
    );
  }
  const { strict, like } = options;
  if (options.missing === "mask") {
    let filled = 0;
    for (const value of values) if (Number.isNaN(value)) filled++;
    return {
      ...loaded,
      notes: [...(loaded.notes ?? []), ...noteRows({ filled, dropped: 0, unknown: new Map() }, options)],
    };
  }
  const missing = options.missing ?? (strict || like ? "error" : "median");
  const refused = strict || options.missing === "error";
  const known = recordedFills(options);
  const before = known.size > 0 && !refused ? known : undefined;
  if (missing === "error" && !before) {
    throw new UserError(`${describePlace(loaded, name, odd)}: the value is missing (NaN)`, MISSING_REMEDY);
  }
  if (missing === "drop") return dropSamples(loaded, name, options);
  const fills = chooseFills(loaded, missing, before);
  const filled: Record<string, number> = Object.create(null);
  let count = 0;
  for (let i = 0, p = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      if (Number.isNaN(value)) {
        values[p] = fills[f];
        filled[nameOf(loaded, f)] = fills[f];
        count++;
      }
      p++;
    });
  }
  const recipe = missing === "zero" ? {} : { recipe: { ...loaded.recipe, fills: like?.recipe.fills ?? filled } };
  const notes = noteRows(
    { filled: count, dropped: 0, unknown: new Map() },
    { ...options, missing: before ? options.missing : missing },
  );
  return { ...loaded, ...recipe, notes: [...(loaded.notes ?? []), ...notes] };
}

/** How many values are missing (NaN). */
export function countHoles(X: Matrix): number {
  const values = X.kind === "dense" ? X.data : X.values;
  let count = 0;
  for (let p = 0; p < values.length; p++) if (Number.isNaN(values[p])) count++;
  return count;
}

/** The first place of a value that is missing or infinite, or −1. */
function findNotFinite(values: ArrayLike<number>): number {
  for (let p = 0; p < values.length; p++) if (!Number.isFinite(values[p])) return p;
  return -1;
}

/** @param at a place among the stored values */
function describePlace({ X, features }: Loaded, name: string, at: number): string {
  const { sample, feature } = findPlace(X, at);
  return `${name}, sample ${sample + 1}, feature ${JSON.stringify(features?.[feature] ?? feature + 1)}`;
}

function nameOf({ features }: Loaded, f: number): string {
  return features?.[f] ?? String(f);
}

/** What a model says, else what is asked for. */
function chooseFills(
  loaded: Loaded,
  missing: "median" | "mean" | "zero" | "error",
  before: ReadonlyMap<string, number | string> | undefined,
): Float64Array {
  const { X } = loaded;
  if (missing === "zero") return new Float64Array(X.features);
  const own = missing === "median" ? findMedians(X) : findMeans(X);
  return own.map((fill, f) => Number(before?.get(nameOf(loaded, f)) ?? fill));
}

/** Medians of the features that have missing values; absent entries of sparse samples are zeros, which are there. */
function findMedians(X: Matrix): Float64Array {
  const there = new Map<number, number[]>();
  const gone = new Float64Array(X.features);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      if (Number.isNaN(value)) gone[f]++;
    });
  }
  for (const [f, count] of gone.entries()) if (count > 0) there.set(f, []);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      if (!Number.isNaN(value)) there.get(f)?.push(value);
    });
  }
  const medians = new Float64Array(X.features);
  for (const [f, values] of there) {
    const zeros = X.samples - gone[f] - values.length;
    for (let z = 0; z < zeros; z++) values.push(0);
    values.sort((a, b) => a - b);
    medians[f] = values[Math.floor((values.length - 1) / 2)] ?? 0;
  }
  return medians;
}

/** Means over the values that are there; absent entries of sparse samples are zeros, which are there. */
function findMeans(X: Matrix): Float64Array {
  const sums = new Float64Array(X.features);
  const counts = new Float64Array(X.features).fill(X.samples);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, value) => {
      if (Number.isNaN(value)) counts[f]--;
      else sums[f] += value;
    });
  }
  return sums.map((sum, f) => (counts[f] === 0 ? 0 : sum / counts[f]));
}

function dropSamples(loaded: Loaded, name: string, options: TableOptions): Loaded {
  const { X } = loaded;
  const kept: number[] = [];
  for (let i = 0; i < X.samples; i++) {
    let whole = true;
    X.each(i, (_, value) => {
      if (Number.isNaN(value)) whole = false;
    });
    if (whole) kept.push(i);
  }
  if (kept.length === 0)
    throw new UserError(`${name}: every sample has a missing value, so none is left`, "--missing mean fills them");
  const notes = noteRows({ filled: 0, dropped: X.samples - kept.length, unknown: new Map() }, options);
  const pick = <T>(list: readonly T[] | null | undefined) => list && kept.map((i) => list[i]);
  return {
    ...loaded,
    X: X.take(kept),
    labels: pick(loaded.labels) ?? null,
    ids: pick(loaded.ids) ?? null,
    notes: [...(loaded.notes ?? []), ...notes],
  };
}

function findPlace(X: Matrix, p: number): { sample: number; feature: number } {
  if (X.kind === "dense") return { sample: Math.floor(p / X.features), feature: p % X.features };
  return { sample: X.offsets.findIndex((start) => start > p) - 1, feature: X.indices[p] };
}
