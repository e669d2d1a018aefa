import type { TableOptions } from "./data.js";
import { isCounterName, isIdName, isPlainLabelName, isUnnamed, rankLabelName } from "./names.js";
import { type ColumnSummary, isMeasured, isSpelled, type NumberSpelling, type TableSummary } from "./summary.js";

/** Why a column is not read. */
export type Reason =
  | "constant"
  | "date"
  | "empty"
  | "id"
  | "label"
  | "list"
  | "mixed"
  | "mostly missing"
  | "row number"
  | "text"
  | "too many values";

/** What becomes of a column. */
export type Use =
  | { readonly as: "number"; readonly decimal?: "." | "," }
  | { readonly as: "category" }
  | { readonly as: "left out"; readonly why: Reason };

/** Every table has room for so many categories; a larger one for the square root of its rows, up to MOST_CATEGORIES. */
const FEW_CATEGORIES = 20;
const MOST_CATEGORIES = 100;
/** A counter in an unnamed column of fewer rows may as well be data. */
const FEW_ROWS = 10;
/** Characters and words of prose, on average. */
const PROSE_LENGTH = 25;
const PROSE_WORDS = 4;

/** What the table says of a column. */
export interface ColumnPlace {
  /** The file says that it holds categories. */
  readonly declared: boolean;
  /** It alone has no name: so pandas and R write the index of their rows. */
  readonly index: boolean;
}

/** What most people would make of a column that the user has not named. */
export function decideUse(
  column: ColumnSummary,
  { missing: how }: Pick<TableOptions, "missing">,
  { declared, index }: ColumnPlace,
): Use {
  const { type, rows, missing, distinct, min, max, numbers } = column;
  if (rows !== null && missing === rows) return leave("empty");
  // Where nothing means 0, it is a value like others.
  const zero = how === "zero" && (missing ?? 0) > 0;
  if (rows !== null && missing !== null && missing > rows / 2 && !zero && how !== "mask")
    return leave("mostly missing");
  const several = (rows === null || rows > 1) && !zero;
  if (type === "number" || type === "boolean") {
    if (several && min !== null && min === max) return leave("constant");
    if (type === "number" && (isCounter(column) || (index && isIndex(column)))) {
      return leave("row number");
    }
    return type === "number" && isNumberedId(column) ? leave("id") : { as: "number" };
  }
  if (type === "list") return leave("list");
  if (several && distinct === 1) return leave("constant");
  if (type === "date") return leave("date");
  if (declared) return (distinct ?? 0) <= MOST_CATEGORIES ? { as: "category" } : leave("too many values");
  if (numbers && isSpelled(column)) return asSpelled(numbers);
  if (isCategory(column)) return { as: "category" };
  if (isMixed(column)) return leave("mixed");
  if (isProse(column)) return leave("text");
  return leave(isUnique(column) ? "id" : "too many values");
}

/** Numbers in a text column; plain ones need no reading of their own. */
export function asSpelled({ plain, decimal }: NumberSpelling): Use {
  return plain === 1 ? { as: "number" } : { as: "number", decimal };
}

function leave(why: Reason): Use {
  return { as: "left out", why };
}

/**
 * Whether a column of texts is one of categories: at most 20 different values, or the square root of the rows up to 100,
 * which occur twice on average.
 */
export function isCategory(column: ColumnSummary): boolean {
  const { rows, distinct } = column;
  if (rows === null || distinct === null) return false;
  const most = Math.min(MOST_CATEGORIES, Math.max(FEW_CATEGORIES, Math.sqrt(rows)));
  return distinct <= most && 2 * distinct <= countValues(column);
}

function countValues({ rows, missing }: ColumnSummary): number {
  return (rows ?? 0) - (missing ?? 0);
}

/** Whether half of the texts are numbers. */
function isMixed({ numbers }: ColumnSummary): boolean {
  return numbers !== null && !numbers.codes && numbers.share >= 0.5;
}

/** Whether texts are sentences rather than names. */
export function isProse({ type, length, words }: ColumnSummary): boolean {
  return type === "text" && (length ?? 0) > PROSE_LENGTH && (words ?? 0) >= PROSE_WORDS;
}

/** Whether every row has a value of its own. */
function isUnique({ rows, missing, distinct }: ColumnSummary): boolean {
  return rows !== null && missing === 0 && distinct === rows;
}

/** Whether the rows are counted, in any order: each of 0 … n − 1 or 1 … n occurs once. */
function isCounter(column: ColumnSummary): boolean {
  const { name, rows, whole, min, max } = column;
  if (rows === null || rows < 2 || !whole || !isUnique(column)) return false;
  if ((min !== 0 && min !== 1) || max !== min + rows - 1) return false;
  return isUnnamed(name) ? rows >= FEW_ROWS : isCounterName(name) || isIdName(name);
}

/** Whether the numbers of rows are there although some rows are gone, or several tables were put together. */
function isIndex({ rows, missing, distinct, whole, min }: ColumnSummary): boolean {
  if (rows === null || rows < FEW_ROWS || missing !== 0 || distinct === null || min === null) return false;
  return whole === true && min >= 0 && 2 * distinct > rows;
}

function isNumberedId(column: ColumnSummary): boolean {
  return isIdName(column.name) && column.whole === true && isUnique(column) && (column.rows ?? 0) > 1;
}

/** Whether a column may be set aside as label: few values, and no measurements. */
function hasClasses(column: ColumnSummary): boolean {
  const { type, distinct, whole } = column;
  if (distinct === null || distinct < 2 || type === "date" || type === "list") return false;
  if (2 * distinct > Math.max(4, countValues(column)) || isMeasured(column)) return false;
  return type === "number" ? whole === true : !(isSpelled(column) && distinct > FEW_CATEGORIES);
}

/** The label and what else is named and shaped like one, which must not be a feature beside it. */
export interface LabelChoice {
  readonly label: string | undefined;
  readonly others: readonly string[];
}

/** Finds the column that is named and shaped like a label, or is one by convention. A "y" beside an "x" is a coordinate. */
export function chooseLabel({ columns, declared }: TableSummary, used: ReadonlySet<string>): LabelChoice {
  const coordinates = columns.some(({ name }) => /^x$/i.test(name));
  const fitting = columns
    .filter((column) => !used.has(column.name) && rankLabelName(column.name) >= 0 && hasClasses(column))
    .filter(({ name }) => !(coordinates && /^y$/i.test(name)))
    .sort((a, b) => rankLabelName(a.name) - rankLabelName(b.name) || a.name.length - b.name.length);
  const usual = columns.find((one) => one.name === declared?.label && (one.distinct ?? 0) > 1 && !used.has(one.name));
  const label = [...fitting, ...(usual ? [usual] : [])].find(({ missing }) => missing === 0)?.name;
  const others = fitting.filter(({ name }) => name !== label && isPlainLabelName(name)).map(({ name }) => name);
  // Classes that some rows lack are no feature either.
  if (usual && label === undefined && !others.includes(usual.name)) others.push(usual.name);
  return { label, others };
}

/**
 * The column that names the rows: every row has a value of its own, and it is called an id or holds short texts.
 *
 * @param byName only by what it is called
 */
export function chooseId(
  columns: readonly ColumnSummary[],
  used: ReadonlySet<string | undefined>,
  byName: boolean,
): string | undefined {
  const unique = columns.filter(
    (column) => !used.has(column.name) && isUnique(column) && (column.rows ?? 0) > 1 && !isProse(column),
  );
  const named = unique.filter(({ name, type, whole }) => isIdName(name) && (type === "text" || whole === true));
  const texts = unique.filter((column) => column.type === "text" && !isMixed(column));
  return (named[0] ?? (byName ? undefined : texts[0]))?.name;
}
