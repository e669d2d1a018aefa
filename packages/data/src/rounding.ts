import type { Matrix } from "bonmf";
import { listNames } from "./labels.js";

/** Beyond this, 32-bit numbers no longer tell neighbouring whole numbers apart. */
const EXACT = 2 ** 24;
/** Below this, they have fewer than 24 bits. */
const NORMAL = 2 ** -126;

/** Counts the values that 32-bit numbers hold with an error that shows: large whole numbers, and the smallest decimals. */
export class RoundedValues {
  readonly #large = new Map<number, number>();
  readonly #small = new Map<number, number>();

  /** Looks at some samples. */
  add(X: Matrix): void {
    if (X.precision === "f64") return;
    const values = X.kind === "dense" ? X.data : X.values;
    for (let p = 0; p < values.length; p++) {
      const size = Math.abs(values[p]);
      if ((size < EXACT && (size >= NORMAL || size === 0)) || Number.isNaN(size)) continue;
      const counts = size >= EXACT ? this.#large : this.#small;
      const feature = X.kind === "dense" ? p % X.features : X.indices[p];
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
    }
  }

  /** What to tell the user. @param names of the features */
  notes(names: readonly string[] | null): string[] {
    return [...describe(this.#large, "of 16777216 or more", names), ...describe(this.#small, "below 1.2e-38", names)];
  }
}

/** @param counts of features */
function describe(counts: ReadonlyMap<number, number>, which: string, names: readonly string[] | null): string[] {
  if (counts.size === 0) return [];
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const features = [...counts.keys()].sort((a, b) => a - b).map((f) => names?.[f] ?? `#${f + 1}`);
  const values = total === 1 ? "1 value" : `${total} values`;
  return [`${values} ${which} may be rounded, since 32-bit numbers keep about 7 digits: ${listNames(features)}`];
}

/** The same of all samples; nothing where a model says how samples are read. */
export function noteRounded(
  { X, features }: { readonly X: Matrix; readonly features: readonly string[] | null },
  { like }: { readonly like?: unknown } = {},
): string[] {
  if (like !== undefined) return [];
  const rounded = new RoundedValues();
  rounded.add(X);
  return rounded.notes(features);
}
