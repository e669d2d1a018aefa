import type { TableOptions } from "./data.js";
import { asSpelled, type ColumnPlace, decideUse, type Reason, type Use } from "./decide.js";
import { isUnnamed } from "./names.js";
import type { Roles } from "./roles.js";
import type { ColumnSummary, TableSummary } from "./summary.js";
import { NotNumeric } from "./table-plan.js";

/** What becomes of each column that has no role, in the order of the features. */
export function useColumns(
  table: TableSummary,
  options: TableOptions,
  { label, id, reserved }: Roles,
  aside: ReadonlyMap<string, Reason>,
): Map<string, Use> {
  const { features, oneHot, numbers } = options;
  // A model without names of features decides nothing anew.
  const strict = options.strict || options.like !== undefined;
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const wanted = new Set(features ?? byName.keys());
  const uses = new Map<string, Use>();
  const refused: ColumnSummary[] = [];
  const unnamed = table.columns.filter(({ name }) => isUnnamed(name));
  const placeOf = (name: string): ColumnPlace => ({
    declared: table.declared?.types.get(name) === "category",
    index: unnamed.length === 1 && unnamed[0].name === name && table.columns.length > 1,
  });
  for (const name of wanted) {
    if (reserved.has(name) || name === label || name === id) continue;
    const column = byName.get(name) as ColumnSummary;
    const plain = column.type === "number" || column.type === "boolean";
    const why = aside.get(name);
    if (why !== undefined) uses.set(name, { as: "left out", why });
    else if (oneHot === true ? !plain : oneHot?.includes(name)) uses.set(name, { as: "category" });
    else if (numbers?.includes(name) || strict || features) {
      const use = useAsked(column, numbers?.includes(name) ?? false, strict, placeOf(name));
      if (use) uses.set(name, use);
      else refused.push(column);
    } else uses.set(name, decideUse(column, options, placeOf(name)));
  }
  if (refused.length > 0) throw notNumeric(table, options, refused);
  return uses;
}

/** A column that the user has named, or all with --strict; null where it is not what it has to be. */
export function useAsked(column: ColumnSummary, asNumber: boolean, strict: boolean, place: ColumnPlace): Use | null {
  const { type, numbers, rows, missing } = column;
  if (type === "number" || type === "boolean") return { as: "number" };
  if (type === "list" || type === "date") return null;
  if (rows !== null && rows === missing) return { as: "number" };
  if (strict) return numbers?.plain === 1 ? { as: "number" } : null;
  if (asNumber) return numbers && numbers.share > 0 ? asSpelled(numbers) : null;
  const use = decideUse(column, {}, place);
  return use.as === "left out" && use.why !== "constant" && use.why !== "mostly missing"
    ? null
    : asFeature(column, use);
}

function asFeature({ numbers }: ColumnSummary, use: Use): Use {
  if (use.as !== "left out") return use;
  return numbers && numbers.share > 0.5 ? asSpelled(numbers) : { as: "category" };
}

export function notNumeric(
  table: TableSummary,
  { label }: TableOptions,
  columns: readonly ColumnSummary[],
): NotNumeric {
  const several = columns.length > 1;
  const names = columns.map(({ name }) => JSON.stringify(name));
  const shown = names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
  const words = columns
    .slice(0, 8)
    .map(({ name }) => quoteWord(name))
    .join(",");
  const last = quoteWord(columns[columns.length - 1].name);
  const asLabel = label === undefined ? `--label ${last} if that is the class, ` : "";
  return new NotNumeric(
    `${table.name}: column${several ? "s" : ""} ${shown} ${several ? "are" : "is"} not numeric`,
    `${asLabel}--one-hot ${words} for one feature per value, or --exclude ${words}`,
    columns.map(({ name }) => name),
    columns.find(({ numbers }) => (numbers?.plain ?? 0) >= 0.5)?.name,
  );
}

/** A word as a shell takes it. */
function quoteWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
