import type { Dense, Matrix } from "bonmf";
import type { Data } from "./data.js";
import { shorten } from "./fills.js";
import type { Recipe } from "./recipe.js";

/** Values and rows that are looked at, at most; but always a thousand rows. */
const VALUES = 2 ** 20;
const LEAST_ROWS = 1024;
const MOST_ROWS = 2 ** 14;

interface SampledRow {
  readonly hash: number;
  readonly values: ReturnType<Dense["row"]>;
}

/**
 * Some rows of samples that come in parts: all of them, then half of these, a quarter … so that there are never too many.
 * Which rows these are depends on their numbers alone.
 */
export class RowSample {
  #most = 0;
  #limit = 2 ** 32;
  #seen = 0;
  #rows: SampledRow[] = [];

  /** Sparse samples are passed over. */
  add(X: Matrix): void {
    if (X.kind === "sparse") return;
    this.#most ||= Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(VALUES / X.features)));
    for (let i = 0; i < X.samples; i++) {
      const hash = mix(this.#seen + i);
      if (hash >= this.#limit) continue;
      this.#rows.push({ hash, values: X.row(i).slice() });
      while (this.#rows.length > this.#most) {
        this.#limit /= 2;
        this.#rows = this.#rows.filter((row) => row.hash < this.#limit);
      }
    }
    this.#seen += X.samples;
  }

  /**
   * The recipe with what stands in for values that are missing in later files: the median or the commonest value of
   * columns that missed none.
   */
  complete(recipe: Recipe, features: Data["features"]): Recipe {
    const [first] = this.#rows;
    if (!first) return recipe;
    const typical: Record<string, number | string> = Object.create(null);
    const categories = new Map<string, { column: string; value: string }>();
    for (const [column, values] of Object.entries(recipe.categories ?? {})) {
      for (const value of values) categories.set(`${column}=${value}`, { column, value });
    }
    const most = new Map<string, number>();
    for (let f = 0; f < first.values.length; f++) {
      const name = features?.[f] ?? String(f);
      const category = categories.get(name);
      const values = Float64Array.from(this.#rows, ({ values }) => values[f]).filter((value) => !Number.isNaN(value));
      if (!category) {
        const median = values.sort()[Math.floor((values.length - 1) / 2)];
        if (Number.isFinite(median)) typical[name] = shorten(median);
      } else {
        const count = values.reduce((sum, value) => sum + value, 0);
        if (count <= (most.get(category.column) ?? -1)) continue;
        most.set(category.column, count);
        typical[category.column] = category.value;
      }
    }
    for (const column of Object.keys(recipe.fills ?? {})) delete typical[column];
    return { ...recipe, typical };
  }
}

/** A number below 2³² that looks random (the finaliser of MurmurHash3). */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The recipe of samples in memory, see {@link RowSample}. Samples that cannot miss values have none. */
export function completeRecipe({
  X,
  features,
  recipe,
  kind,
}: Pick<Data, "X" | "features" | "recipe" | "kind">): Recipe {
  if (kind === "images" || kind === "text" || recipe.typical) return recipe;
  const rows = new RowSample();
  rows.add(X);
  return rows.complete(recipe, features);
}
