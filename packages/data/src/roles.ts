import type { TableOptions } from "./data.js";
import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { askNearest } from "./nearest.js";
import { type ColumnSummary, isMeasured, type TableSummary } from "./summary.js";

/** What the user has said of columns, checked. */
export interface Roles {
  readonly label: string | undefined;
  readonly id: string | undefined;
  readonly weight: string | undefined;
  readonly reserved: ReadonlySet<string>;
}

export function readRoles(table: TableSummary, { label, id, weight, exclude }: TableOptions): Roles {
  const reserved = new Set<string>();
  for (const [flag, column] of [
    ["--label", label],
    ["--id", id],
    ["--weight", weight],
  ] as const) {
    if (column !== undefined) reserved.add(need(table, column, flag).name);
  }
  for (const column of exclude ?? []) reserved.add(need(table, column, "--exclude").name);
  return { label, id, weight, reserved };
}

export function need({ columns, name }: TableSummary, wanted: string, flag: string): ColumnSummary {
  const column = columns.find((one) => one.name === wanted);
  if (column) return column;
  const names = columns.map(({ name }) => name);
  const hint = askNearest(wanted, names) ?? `its columns are ${listNames(names)}`;
  throw new UserError(`${name} has no column ${JSON.stringify(wanted)} for ${flag}`, hint);
}

/** Columns that the user speaks of, about which nothing is decided. */
export function listNamed(table: TableSummary, { features, oneHot, numbers, text }: TableOptions, { reserved }: Roles) {
  const named = new Set([...reserved, ...(features ?? []), ...(numbers ?? []), ...(text === undefined ? [] : [text])]);
  for (const column of Array.isArray(oneHot) ? oneHot : []) {
    need(table, column, "--one-hot");
    if (reserved.has(column) || (features && !features.includes(column))) {
      throw new UserError(`column ${JSON.stringify(column)} is for --one-hot, but it is excluded or has another use`);
    }
    named.add(column);
  }
  return named;
}

/** A label of measurements would be as many classes as it has values. */
export function checkLabel(table: string, column: ColumnSummary | undefined): void {
  if (!column || !isMeasured(column)) return;
  const name = JSON.stringify(column.name);
  throw new UserError(
    `${table}: the label ${name} is a measurement, not a class: it has ${column.distinct} different numbers`,
    "omit --label, or group its values, as in " +
      `--sql "select * replace (ntile(4) over (order by ${quoteSql(column.name)}) as ${quoteSql(column.name)}) from data"; ` +
      `if they do name classes, make them texts: ${nameAsTexts(column.name)}`,
  );
}

/** What makes the numbers of a column names. */
export function nameAsTexts(column: string): string {
  return `--sql "select * replace (${quoteSql(column)}::varchar as ${quoteSql(column)}) from data"`;
}

/** A column in a query that the shell gets in double quotes. */
export function quoteSql(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : `\\"${name}\\"`;
}
