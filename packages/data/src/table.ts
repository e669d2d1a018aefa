import { Dense } from "bonmf";
import { requireMemory } from "bonmf/io";
import { type Column, NONE } from "./column.js";
import type { Data, Label, TableOptions } from "./data.js";
import { countDocuments } from "./documents.js";
import { UserError } from "./errors.js";
import { makeLabelReader, toLabels } from "./labels.js";
import { MISSING_REMEDY, omitUnlabelled } from "./missing.js";
import { noteConstant, noteRows } from "./notes.js";
import { makePlan } from "./plan.js";
import { noteRounded } from "./rounding.js";
import { readSpelled, spellingOf } from "./spelling.js";
import { type NamedTable, spellColumn, summarizeTable } from "./summarize.js";
import { NotNumeric, type PlanColumn, type TablePlan } from "./table-plan.js";

/**
 * Samples from the columns of a table in memory: those of a plan, or the words of a text column.
 *
 * @param planned what {@link planTable} returned for the same options; absent: it is asked
 */
export async function readTable(table: NamedTable, options: TableOptions, planned?: TablePlan): Promise<Data> {
  const text = options.text ?? options.like?.recipe.text?.column;
  if (text !== undefined) return readDocuments(table, text, options, []);
  const plan = planned ?? planTable(table, options);
  const { label, id, weight } = plan;
  const roles = { ...options, label, id, weight };
  if (plan.text !== undefined) return readDocuments(table, plan.text, roles, plan.notes);
  return carryOut(table, plan, roles);
}

/** The plan for a table in memory; an error names the first value that is no number. */
export function planTable(table: NamedTable, options: TableOptions): TablePlan {
  try {
    return makePlan(summarizeTable(table, options), options);
  } catch (error) {
    throw error instanceof NotNumeric && error.slip !== undefined ? nameSlip(table, find(table, error.slip)) : error;
  }
}

/** The first value of a column that is no number. */
function nameSlip({ name, place }: NamedTable, column: Column): UserError {
  const { codes, texts } = spellColumn(column);
  const numbers = texts.map((text) => spellingOf(text).plain);
  const row = codes.findIndex((code) => code !== NONE && !numbers[code]);
  return new UserError(
    `${name}, ${place(row)}, column ${JSON.stringify(column.name)}: ${JSON.stringify(texts[codes[row]])} is not a number`,
    "correct it, or omit the column",
  );
}

/** A column of texts as documents. */
function readDocuments(
  table: NamedTable,
  text: string,
  options: TableOptions,
  notes: readonly string[],
): Promise<Data> {
  const { label, id, weight } = options;
  const texts = spellAll(table, text).map((value) => value ?? "");
  const need = (flag: string, column: string) => {
    const values = spellAll(table, column);
    if (values.includes(null)) throw new UserError(`${table.name}: a row has no value for --${flag}`, "fill it in");
    return toLabels(values as string[]);
  };
  const documents = {
    texts,
    labels: label === undefined ? null : need("label", label),
    ids: id === undefined ? null : need("id", id),
    weights: weight === undefined ? null : Float64Array.from(readWeights(table, weight, countUp(table.rows))),
    notes: [...table.notes, ...notes],
  };
  // Files of plain text have no columns of their own.
  return countDocuments(documents, options, table.kind === "text" ? undefined : text);
}

/** What a browser gives one array at least. */
const MOST_BYTES = 2 ** 31;

/** Reads what the plan says. */
function carryOut(table: NamedTable, plan: TablePlan, options: TableOptions): Data {
  const { rows, kind, name } = table;
  const { label, id, weight } = options;
  const { budget = MOST_BYTES } = options;
  const m = plan.features.length;
  requireMemory(4 * rows * m, budget, `${name} has ${rows} rows, which make as many samples of ${m} features`);
  const matrix = new MatrixFiller(table, plan, options.missing === "drop");
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  for (const part of plan.parts) matrix.add(part, byName.get(part.column) ?? find(table, part.column));
  for (const column of [label, weight]) if (column !== undefined) matrix.mark(find(table, column));
  const kept = matrix.keep();
  if (kept.length === 0) {
    throw new UserError(`${name}: every row has a missing value, so none is left`, "--missing mean fills them");
  }
  const X = new Dense(kept.length, plan.features.length, matrix.take(kept));
  const notes = [...table.notes, ...plan.notes, ...noteConstant(matrix.constant, kept.length, options)];
  return {
    X,
    features: plan.features,
    ...(plan.groups && { groups: plan.groups }),
    labels: label === undefined ? null : readNames(table, label, kept, false),
    ids: id === undefined ? null : readNames(table, id, kept, kind === "csv"),
    weights: weight === undefined ? null : Float64Array.from(readWeights(table, weight, kept)),
    kind,
    recipe: plan.recipe,
    ...(kept.length < rows && { dropped: matrix.listGone() }),
    notes: [
      ...notes,
      ...noteRows({ ...matrix, dropped: rows - kept.length }, options),
      ...noteRounded({ X, features: plan.features }, options),
    ],
  };
}

/** The rows of a matrix in the making, column by column. */
class MatrixFiller {
  filled = 0;
  readonly unknown = new Map<string, Set<string>>();
  readonly constant: string[] = [];
  readonly #table: NamedTable;
  readonly #plan: TablePlan;
  readonly #drop: boolean;
  readonly #data: Float32Array;
  readonly #gone: Uint8Array;

  constructor(table: NamedTable, plan: TablePlan, drop: boolean) {
    this.#table = table;
    this.#plan = plan;
    this.#drop = drop;
    this.#data = new Float32Array(table.rows * plan.features.length);
    this.#gone = new Uint8Array(table.rows);
  }

  add({ at, values, decimal }: PlanColumn, column: Column): void {
    if (values) this.#spread(column, at, values);
    else this.#copy(column.name, readNumbers(column, decimal), at);
  }

  #copy(name: string, numbers: Float32Array, at: number): void {
    const m = this.#plan.features.length;
    const data = this.#data;
    for (let i = 0; i < numbers.length; i++) {
      if (Number.isNaN(numbers[i])) this.#meetMissing(name, i, at);
      else data[i * m + at] = numbers[i];
    }
    let still = true;
    for (let i = 0; still && i < numbers.length; i++) still = data[i * m + at] === data[at];
    if (still) this.constant.push(name);
  }

  /** Fills a number, or drops its row. */
  #meetMissing(column: string, row: number, at: number): void {
    const fill = this.#plan.fills.get(column);
    if (fill !== undefined) this.filled++;
    else if (this.#drop) this.#gone[row] = 1;
    else throw missing(this.#table, row, column);
    this.#data[row * this.#plan.features.length + at] = typeof fill === "number" ? fill : Number.NaN;
  }

  #spread(column: Column, at: number, values: readonly string[]): void {
    const m = this.#plan.features.length;
    const { codes, texts } = spellColumn(column);
    const places = new Map(values.map((value, v) => [value, at + v]));
    const byCode = texts.map((text) => places.get(text) ?? -1);
    const fill = this.#plan.fills.get(column.name);
    for (const [i, code] of codes.entries()) {
      if (code !== NONE) {
        if (byCode[code] >= 0) this.#data[i * m + byCode[code]] = 1;
        else this.unknown.set(column.name, (this.unknown.get(column.name) ?? new Set()).add(texts[code]));
      } else if (fill !== undefined) {
        const place = places.get(String(fill));
        if (Number.isNaN(fill)) this.#data.fill(Number.NaN, i * m + at, i * m + at + values.length);
        else if (place !== undefined) this.#data[i * m + place] = 1;
        this.filled++;
      } else if (this.#drop) this.#gone[i] = 1;
      else throw missing(this.#table, i, column.name);
    }
  }

  /** Drops the rows where a label or weight is missing; without --missing drop they are an error. */
  mark(column: Column): void {
    for (let i = 0; i < this.#table.rows; i++) {
      const there = column.type === "text" ? column.codes[i] !== NONE : !Number.isNaN(column.numbers[i]);
      if (there) continue;
      if (!this.#drop) throw missing(this.#table, i, column.name, omitUnlabelled(column.name));
      this.#gone[i] = 1;
    }
  }

  /** The rows that stay. */
  keep(): Uint32Array {
    return countUp(this.#table.rows).filter((row) => this.#gone[row] === 0);
  }

  listGone(): number[] {
    return Array.from(countUp(this.#table.rows).filter((row) => this.#gone[row] !== 0));
  }

  take(kept: Uint32Array): Float32Array {
    const m = this.#plan.features.length;
    for (const [to, from] of kept.entries()) if (to !== from) this.#data.copyWithin(to * m, from * m, (from + 1) * m);
    return this.#data.slice(0, kept.length * m);
  }
}

function missing({ name, place }: NamedTable, row: number, column: string, remedy = MISSING_REMEDY): UserError {
  return new UserError(`${name}, ${place(row)}, column ${JSON.stringify(column)}: the value is missing`, remedy);
}

/** Texts that are no numbers are missing. */
function readNumbers(column: Column, decimal: PlanColumn["decimal"]): Float32Array {
  if (column.type === "number") return column.numbers;
  const { codes, texts } = column;
  const singles = texts.map((text) => readSpelled(text, decimal ?? ".", "f32"));
  return Float32Array.from(codes, (code) => (code === NONE ? Number.NaN : singles[code]));
}

function find({ columns, name }: NamedTable, wanted: string): Column {
  const column = columns.find((one) => one.name === wanted);
  if (!column) throw new UserError(`${name} has no column ${JSON.stringify(wanted)}`);
  return column;
}

/** A column as it is written, null where it is missing. */
function spellAll(table: NamedTable, name: string): (string | null)[] {
  const { codes, texts } = spellColumn(find(table, name));
  return Array.from(codes, (code) => (code === NONE ? null : texts[code]));
}

function readNames(table: NamedTable, name: string, kept: Uint32Array, exact: boolean): Label[] {
  const column = find(table, name);
  const read = makeLabelReader(column.type === "number" && column.written === "number", exact);
  const { codes, texts } = spellColumn(column);
  return Array.from(kept, (row) => read(codes[row] === NONE ? "" : texts[codes[row]]));
}

function readWeights(table: NamedTable, name: string, kept: Uint32Array): number[] {
  const { codes, texts } = spellColumn(find(table, name));
  return Array.from(kept, (row) => {
    const value = codes[row] === NONE ? Number.NaN : Number(texts[codes[row]]);
    if (value >= 0 && value < Number.POSITIVE_INFINITY) return value;
    throw new UserError(
      `${table.name}, ${table.place(row)}, column ${JSON.stringify(name)}: ${value} is no weight`,
      "weights are numbers, 0 or more",
    );
  });
}

function countUp(n: number): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}
