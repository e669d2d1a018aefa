import { stat } from "node:fs/promises";
import type { DocumentInput, Matrix, Topics } from "bonmf";
import type { ReportData } from "bonmf-report";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { orAbort } from "../pause.js";
import type { ReadOptions } from "../read/data.js";
import { Reading } from "../read/read.js";
import { count, plural } from "../show/text.js";
import { recipeOf } from "./model-file.js";

/** The vectors of documents. */
export interface Vectors {
  readonly X: Matrix;
  /** The column of the documents' own table; null for a file of their own. */
  readonly column: string | null;
}

interface About {
  /** What the documents were read from, still open. */
  readonly reading: Reading;
  readonly source: string;
  readonly documents: number;
}

/** Reads the vectors of documents from a file, or else from a column of their own table. */
export async function readVectors(
  { signal, terminal }: Pick<Call, "signal" | "terminal">,
  name: string,
  { reading, source, documents }: About,
): Promise<Vectors> {
  const path = await findFile(name);
  const column = path === null ? name : null;
  const progress = terminal.progress("reading vectors");
  const onProgress: ReadOptions["onProgress"] = (done, total, unit) => progress.update(done, total, unit);
  try {
    const X = await orAbort(
      path === null ? takeColumn(reading, name, source) : readFile(path, signal, onProgress),
      signal,
    );
    const place = path ?? `${source}, column ${JSON.stringify(name)}`;
    checkRows(X, place, documents, source);
    return { X, column };
  } finally {
    progress.end();
  }
}

async function findFile(name: string): Promise<string | null> {
  const found = await stat(name).catch(() => null);
  if (found?.isFile()) return name;
  if (/[/\\]|\.(?:npy|npz|csv|tsv|parquet|jsonl|ndjson|arrow|feather|xlsx)$/iu.test(name)) {
    throw new UserError(`--vectors ${name}: there is no such file`);
  }
  return null;
}

async function takeColumn(reading: Reading, column: string, source: string): Promise<Matrix> {
  const data = await explain(reading.readNumbers([column]));
  if (data) return data.X;
  throw new UserError(
    `--vectors ${JSON.stringify(column)}: there is no such file, and ${source} is no table with such a column`,
    "give a .npy or .npz file, or a table, with a row for each document",
  );
}

async function readFile(path: string, signal: AbortSignal, onProgress: ReadOptions["onProgress"]): Promise<Matrix> {
  const reading = new Reading([path], { noLabel: true, strict: true, signal, onProgress });
  try {
    return (await explain(reading.readAll())).X;
  } finally {
    await reading.close();
  }
}

/** Remedies of the reader are options for samples, not for vectors. */
async function explain<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const numbers = "give a list of finite numbers for each document, all of the same length";
    const hint = error.message.includes("has no column") ? error.hint : numbers;
    const message = error.message.replace("for --features", "for --vectors, and there is no such file");
    throw new UserError(`--vectors: ${message}`, hint, { cause: error });
  }
}

function checkRows(X: Matrix, place: string, documents: number, source: string): void {
  if (X.samples !== documents) {
    throw new UserError(
      `${place} has ${plural(X.samples, "vector")}, but ${source} has ${plural(documents, "document")}`,
      "give one vector for each document, in the same order",
    );
  }
  if (X.features > 1) return;
  throw new UserError(
    `${place} has one number for each of ${count(documents)} documents, which is no vector`,
    "give a list of numbers for each document, as language models make them",
  );
}

/** What a report says of topics that the model knows by vectors. */
export function tellTopics(topics: Topics, documents: DocumentInput): NonNullable<ReportData["told"]> {
  return { topics, words: topics.predict(documents).map(({ words }) => words.map(({ word }) => word)) };
}

/** The vectors that a model of topics asks for: those named, else the column that it was fitted on; null where it knows none. */
export function nameVectors({ options }: Pick<Call, "options">, path: string, topics: Topics | null): string | null {
  const name = options.string("vectors");
  if (!topics || topics.model.featureNames !== null) {
    if (name === undefined) return null;
    throw new UserError(`${path} was not fitted on vectors of documents`, "omit --vectors");
  }
  const known = name ?? recipeOf(topics.model)?.text?.vectors;
  if (known !== undefined) return known;
  throw new UserError(
    `the topics of ${path} were found on vectors, and the documents have none`,
    "add --vectors FILE or --vectors COLUMN: a vector for each document, made by the same language model",
  );
}
