import type { TableOptions } from "./data.js";
import type { ColumnSummary, TableSummary } from "./summary.js";
import type { PlanColumn } from "./table-plan.js";

/** What stands in for a missing value, by column; null: none of a category's features; NaN: it stays missing. */
export type Fills = ReadonlyMap<string, number | string | null>;

/** What a model says, else what --missing says, else the median or the commonest value where some are missing. */
export function findFills(table: TableSummary, parts: readonly PlanColumn[], options: TableOptions): Fills {
  const { missing, like, strict } = options;
  const fills = new Map<string, number | string | null>();
  if (missing === "drop" || (like && missing === "error")) return fills;
  const known = recordedFills(options);
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  for (const { column, values, decimal } of parts) {
    const summary = byName.get(column) as ColumnSummary;
    const before = missing === "zero" ? undefined : known.get(column);
    if (missing === "mask") fills.set(column, Number.NaN);
    else if (before !== undefined) fills.set(column, before);
    else if (values) {
      const fill = fillCategory(summary, values, options);
      if (fill !== undefined) fills.set(column, fill);
    } else if (missing === "zero") fills.set(column, 0);
    else if (missing === "mean") fills.set(column, summary.mean ?? 0);
    else if (missing === "median") fills.set(column, shorten(summary.median ?? 0));
    else if (missing === undefined && !like && !strict && hasMissing(summary, decimal)) {
      fills.set(column, shorten(summary.median ?? 0));
    }
  }
  return fills;
}

/** What a model says, by column. Its typical values are medians: who asks for means has means. Strict reading has none. */
export function recordedFills({ like, missing, strict }: TableOptions): ReadonlyMap<string, number | string> {
  const { fills = {}, typical = {} } = like?.recipe ?? {};
  return new Map([...(missing === "mean" || strict ? [] : Object.entries(typical)), ...Object.entries(fills)]);
}

/** Texts that are no numbers are missing too. */
function hasMissing({ missing, numbers }: ColumnSummary, decimal: string | null): boolean {
  return (missing ?? 0) > 0 || (decimal !== null && (numbers?.share ?? 1) < 1);
}

/** Undefined: a missing category is refused. */
function fillCategory(
  { missing: count, common }: ColumnSummary,
  values: readonly string[],
  { missing, like, strict }: TableOptions,
): string | null | undefined {
  // Models of older versions have fills for numbers only.
  if (missing === "zero" || (like?.recipe.fills && missing === undefined)) return null;
  if (like) return missing === undefined || missing === "error" ? undefined : null;
  if (missing === "mean" || missing === "median") return common?.[0]?.value ?? values[0] ?? null;
  return missing === undefined && !strict && (count ?? 0) > 0 ? (common?.[0]?.value ?? null) : undefined;
}

/** The shortest decimal of the same 32-bit number. */
export function shorten(value: number): number {
  const single = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return single;
}
