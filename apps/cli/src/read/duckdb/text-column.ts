import { countCharacters } from "bonmf/io";
import { askNearest, countDocuments, type Documents, joinDocuments, toLabels } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { Data, ReadOptions } from "../data.js";
import { checkGzip, type File } from "../files/bytes.js";
import type { TableKind } from "../files/sources.js";
import { runTask } from "../thread.js";
import { Duck, quoteName } from "./duck.js";
import { translate } from "./errors.js";
import { openRelation, type Relation } from "./relation.js";

/** Texts whose words are counted in a fraction of a second, unless they are long. */
const FEW = 20_000;
const FEW_CHARACTERS = 2 ** 22;

/** A column of a table as documents. */
export async function readTextColumn(
  files: readonly File[],
  kind: TableKind | "sql",
  column: string,
  options: ReadOptions,
): Promise<Data> {
  const parts: Documents[] = [];
  for await (const part of scan(files, kind, column, options, Number.POSITIVE_INFINITY)) parts.push(part);
  const documents = joinDocuments(parts);
  const { texts } = documents;
  const short = texts.length <= FEW && countCharacters(texts) <= FEW_CHARACTERS;
  const source = files[0]?.name ?? column;
  return { ...(await runTask("words", { documents, column }, options, { source, short })), texts };
}

/** The same in parts of at most `rows` documents, for a model's words. */
export async function* readTextColumnParts(
  files: readonly File[],
  kind: TableKind | "sql",
  column: string,
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  for await (const part of scan(files, kind, column, options, rows)) {
    yield await countDocuments(part, options, column);
  }
}

async function* scan(
  files: readonly File[],
  kind: TableKind | "sql",
  column: string,
  given: ReadOptions,
  rows: number,
): AsyncGenerator<Documents> {
  for (const flag of ["features", "exclude", "oneHot", "numbers"] as const) {
    if (given[flag] === undefined) continue;
    const name = flag === "oneHot" ? "one-hot" : flag;
    throw new UserError(`--${name} cannot be used with --text: the words are the features`);
  }
  const duck = await Duck.open(given.signal, given.memory);
  try {
    await checkGzip(files, given.signal);
    const relation = await openRelation(duck, files, kind, given);
    const options = { ...given, label: chooseLabel(relation, given) };
    const stream = duck.stream(select(relation, column, options), relation.from(new Map()));
    let done = 0;
    let held: Row[] = [];
    for await (const { chunk, rows: count } of stream) {
      held.push(...(chunk.getRows().slice(0, count) as unknown as Row[]));
      done += count;
      options.onProgress?.(done, relation.rows, "rows");
      for (; held.length >= rows; held = held.slice(rows)) yield toDocuments(held.slice(0, rows), relation, options);
    }
    if (done === 0) throw new UserError(`${relation.name} has no rows`);
    if (held.length > 0) yield toDocuments(held, relation, options);
  } catch (error) {
    given.signal?.throwIfAborted();
    throw await translate(error, files, given);
  } finally {
    duck.close();
  }
}

/** The label that was named, or that of the fit where it is wanted and there. */
function chooseLabel({ columns }: Relation, { label, noLabel, like }: ReadOptions): string | undefined {
  if (label !== undefined || noLabel || !like?.labelled) return label;
  return columns.some(({ name }) => name === like.recipe.label) ? like.recipe.label : undefined;
}

type Row = readonly [text: string | null, label: string | null, id: string | null, weight: number | null];

function select(relation: Relation, text: string, { label, id, weight }: ReadOptions): string[] {
  const names = relation.columns.map(({ name }) => name);
  const take = (flag: string, column: string | undefined, type: string) => {
    if (column === undefined) return "null";
    if (names.includes(column)) return `${quoteName(column)}::${type}`;
    const hint = askNearest(column, names) ?? `its columns are ${names.slice(0, 8).join(", ")}`;
    throw new UserError(`${relation.name} has no column ${JSON.stringify(column)} for --${flag}`, hint);
  };
  return [
    take("text", text, "varchar"),
    take("label", label, "varchar"),
    take("id", id, "varchar"),
    take("weight", weight, "double"),
  ];
}

function toDocuments(rows: readonly Row[], relation: Relation, { label, id, weight }: ReadOptions): Documents {
  const need = (flag: string, at: 1 | 2) => {
    const absent = rows.findIndex((row) => row[at] === null);
    if (absent < 0) return toLabels(rows.map((row) => row[at] as string));
    throw new UserError(
      `${relation.name}: a row has no value for --${flag}`,
      "fill it in, or leave such rows out with --sql",
    );
  };
  const weights = weight === undefined ? null : Float64Array.from(rows, (row) => row[3] ?? Number.NaN);
  const bad = weights?.find((value) => !(value >= 0 && value < Number.POSITIVE_INFINITY));
  if (bad !== undefined) throw new UserError(`${relation.name}: the weight ${bad} is not a number of 0 or more`);
  return {
    texts: rows.map(([text]) => text ?? ""),
    labels: label === undefined ? null : need("label", 1),
    ids: id === undefined ? null : need("id", 2),
    weights,
    notes: [],
  };
}
