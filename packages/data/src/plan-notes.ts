import type { TableOptions } from "./data.js";
import type { Reason } from "./decide.js";
import { listNames } from "./labels.js";
import type { ColumnSummary, TableSummary } from "./summary.js";
import type { TablePlan } from "./table-plan.js";

/** Reasons in words, in the order they are told. */
const REASONS: readonly (readonly [Reason, string])[] = [
  ["label", "looks like a label"],
  ["row number", "row numbers"],
  ["id", "a different value in every row"],
  ["date", "dates"],
  ["text", "free text"],
  ["mixed", "numbers and texts"],
  ["too many values", "too many different values for categories"],
  ["constant", "the same value in every row"],
  ["mostly missing", "most values are missing"],
  ["empty", "no values"],
  ["list", "lists"],
];

/** What was decided without being asked, a line for each kind of decision. */
export function notePlan(table: TableSummary, options: TableOptions, plan: TablePlan): string[] {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  return [
    ...noteRoles(options, plan),
    ...noteText(plan),
    ...noteCategories(options, plan),
    ...noteSpelled(options, plan, byName),
    ...noteFills(options, plan, byName),
    ...noteLeftOut(plan),
  ];
}

function noteRoles(options: TableOptions, { label, id }: TablePlan): string[] {
  const notes: string[] = [];
  if (label !== undefined && options.label === undefined) {
    notes.push(`${JSON.stringify(label)} is set aside as the label, not used as a feature; --no-label uses it`);
  }
  if (id !== undefined && options.id === undefined) notes.push(`${JSON.stringify(id)} names the rows (--id)`);
  return notes;
}

function noteText({ text }: TablePlan): string[] {
  return text === undefined ? [] : [`the words of ${JSON.stringify(text)} are the features (--text)`];
}

function noteCategories({ oneHot, strict }: TableOptions, { parts }: TablePlan): string[] {
  if (strict || oneHot === true) return [];
  const found = parts.filter(({ column, values }) => values && !oneHot?.includes(column));
  if (found.length === 0) return [];
  const names = listWith(found.map(({ column, values }) => [column, String(values?.length)]));
  const what = found.length === 1 ? "is a category" : "are categories";
  return [`${names} ${what}, one 0/1 feature per value; --exclude omits columns`];
}

/** Some names in quotes, each with something in brackets. */
function listWith(entries: readonly (readonly [name: string, about: string])[]): string {
  const shown = entries.slice(0, 5).map(([name, about]) => `${JSON.stringify(name)} (${about})`);
  return shown.join(", ") + (entries.length > 5 ? ` and ${entries.length - 5} more` : "");
}

type Columns = ReadonlyMap<string, ColumnSummary>;

/** Numbers in a writing of their own, and texts among numbers. */
function noteSpelled({ strict }: TableOptions, { parts }: TablePlan, columns: Columns): string[] {
  if (strict) return [];
  const notes: string[] = [];
  const spelled = parts.filter(({ decimal }) => decimal !== null);
  const written = spelled.filter(({ column }) => (columns.get(column)?.numbers?.plain ?? 1) < 1);
  for (const [decimal, example] of [
    [".", "1,234.5"],
    [",", "1.234,5"],
  ] as const) {
    const alike = written.filter((part) => part.decimal === decimal && isSeparated(columns.get(part.column)));
    if (alike.length > 0) notes.push(`${listNames(alike.map(({ column }) => column))}: numbers as in ${example}`);
  }
  const mixed = written.flatMap(({ column }) => {
    const { numbers, rows, missing } = columns.get(column) as ColumnSummary;
    const count = Math.round((1 - (numbers?.share ?? 1)) * ((rows ?? 0) - (missing ?? 0)));
    return count > 0 ? [[column, `${count}, as ${JSON.stringify(numbers?.strange)}`] as const] : [];
  });
  if (mixed.length > 0) notes.push(`texts among numbers count as missing: ${listWith(mixed)}`);
  return notes;
}

/** Whether some numbers have thousands separators or decimal commas. */
function isSeparated(column: ColumnSummary | undefined): boolean {
  const { share, plain } = column?.numbers ?? { share: 1, plain: 1 };
  return plain < share;
}

/** Those that nobody asked for; what --missing does is counted while rows are read. */
function noteFills({ missing, strict }: TableOptions, { parts, fills }: TablePlan, columns: Columns): string[] {
  if (missing !== undefined || strict || fills.size === 0) return [];
  const count = (column: string) => {
    const { rows, missing: gone, numbers } = columns.get(column) as ColumnSummary;
    const there = (rows ?? 0) - (gone ?? 0);
    return (gone ?? 0) + (numbers === null ? 0 : Math.round((1 - numbers.share) * there));
  };
  const filled = parts.filter(({ column }) => fills.has(column));
  const numbers = filled.filter(({ values }) => !values).map(({ column }) => [column, String(count(column))] as const);
  const texts = filled
    .filter(({ values }) => values)
    .map(({ column }) => [column, String(columns.get(column)?.missing)] as const);
  const total = [...numbers, ...texts].reduce((sum, [, some]) => sum + Number(some), 0);
  const by = [
    ...(numbers.length > 0 ? [`by the median of ${listWith(numbers)}`] : []),
    ...(texts.length > 0 ? [`by the commonest value of ${listWith(texts)}`] : []),
  ];
  const what = total === 1 ? "1 missing value is" : `${total} missing values are`;
  return [`${what} filled ${by.join(" and ")}; --missing changes that`];
}

function noteLeftOut({ leftOut, text }: TablePlan): string[] {
  if (leftOut.size === 0) return [];
  if (text !== undefined) return [`left out: ${listNames([...leftOut.keys()])}`];
  const groups = REASONS.flatMap(([reason, words]) => {
    const names = [...leftOut].filter(([, why]) => why === reason).map(([column]) => column);
    return names.length > 0 ? [`${listNames(names)} (${words})`] : [];
  });
  const words = [...leftOut.values()].includes("text") ? "--text takes the words of one instead, " : "";
  return [`left out: ${groups.join(", ")}; ${words}--numbers or --one-hot uses a column all the same`];
}
