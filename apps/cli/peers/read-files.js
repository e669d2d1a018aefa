// Reads files by every reader of ours: read-files.js FORMAT STUDIO, a path a line; STUDIO is the studio's Parquet reader,
// bundled. Answers each by a line of JSON: what each reader found, or why not, and the most memory so far.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { BonmfError, readArff, readCsv, readLibsvm, readMatrixMarket, readNpy } from "bonmf";
import { makePlan, readCsv as readColumns, textAt, UserError } from "bonmf-data";
import { CsvReader } from "../dist/read/direct/csv/reader.js";
import { ParquetReader } from "../dist/read/direct/parquet/reader.js";
import { Duck } from "../dist/read/duckdb/duck.js";
import { openRelation } from "../dist/read/duckdb/relation.js";
import { summarizeRelation } from "../dist/read/duckdb/summaries.js";
import { readArrays } from "../dist/read/formats/arrays.js";
import { useArrow } from "../dist/read/formats/arrow-file.js";
import { readChunks } from "../dist/read/formats/arrow-table.js";
import { readData } from "../dist/read/read.js";

const MOST = 100_000;
const STRICT = { strict: true };
const [format, studio] = process.argv.slice(2);
const { readParquet } = await import(pathToFileURL(studio).href);
const f64 = { precision: "f64" };
const library = (read) => (path) => describeMatrix(read(readFileSync(path), f64));
/** Without the thread that many bytes are read in. */
const arrays = (kind) => async (path) => {
  const { X } = await readArrays(kind, [{ path, name: path }], STRICT);
  return { ...describeMatrix({ X }), single: true };
};
const command = (kind) => async (path) => {
  const { X, features } = await readData([path], { ...STRICT, kind });
  return { ...describeColumns(X, features), single: true };
};

/** A reader returns null for what it leaves to another. */
const READERS = {
  npy: { library: library(readNpy), command: arrays("npy") },
  npz: { command: arrays("npz") },
  market: { library: library(readMatrixMarket), command: arrays("market") },
  arff: { library: library(readArff) },
  libsvm: { library: library(readLibsvm), command: arrays("libsvm") },
  csv: {
    library: (path) => {
      const { X, featureNames } = readCsv(readFileSync(path), { ...f64, header: true, delimiter: "," });
      return describeColumns(X, featureNames);
    },
    table: (path) => describeTable(readColumns(readFileSync(path), path)),
    command: command("csv"),
    direct: readCsvDirectly,
  },
  parquet: { command: command("parquet"), direct: readParquetDirectly, studio: readInStudio },
  arrow: { command: command("arrow"), chunks: readArrow },
};

for await (const path of createInterface({ input: process.stdin })) {
  const answers = {};
  for (const [name, read] of Object.entries(READERS[format])) answers[name] = await attempt(read, path);
  process.stdout.write(`${JSON.stringify({ answers, peak: process.resourceUsage().maxRSS * 1024 })}\n`);
}

async function attempt(read, path) {
  try {
    return await read(path);
  } catch (error) {
    const known = error instanceof BonmfError || error instanceof UserError;
    return known ? { refused: error.message } : { fault: String(error?.stack ?? error) };
  }
}

async function readCsvDirectly(path) {
  const files = [{ path, name: path }];
  const direct = await CsvReader.open(files, 1e6, STRICT);
  const duck = await Duck.open();
  try {
    const relation = await openRelation(duck, files, "csv");
    const { summary } = await summarizeRelation(duck, relation, STRICT, false);
    const plan = makePlan(summary, STRICT);
    const found = await direct?.read(relation, plan);
    return found ? { ...describeColumns(found.X, plan.features), single: true } : null;
  } catch {
    // What DuckDB refuses, the command explains.
    return null;
  } finally {
    await direct?.close();
    duck.close();
  }
}

async function readParquetDirectly(path) {
  const direct = ParquetReader.open([{ path, name: path }], 1e6, STRICT);
  try {
    const found = await direct?.readAlone();
    return found ? { ...describeColumns(found.found.X, found.plan.features), single: true } : null;
  } finally {
    await direct?.close();
  }
}

async function readInStudio(path) {
  const bytes = readFileSync(path);
  return describeTable(await readParquet(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), path));
}

async function readArrow(path) {
  const file = { path, name: path };
  return useArrow(file, {}, async (arrow) => {
    const { columns, chunks } = readChunks(file, arrow);
    const found = columns.map(({ name }) => [name, []]);
    let cells = 0;
    for await (const chunk of chunks) {
      for (const [c, values] of chunk.entries()) {
        cells += values.length;
        if (cells <= MOST) for (const value of values) found[c][1].push(spell(value));
      }
    }
    return cells > MOST ? { refused: "too large to compare" } : { columns: found };
  });
}

function describeMatrix({ X }) {
  const entries = [];
  for (let i = 0; i < X.samples && entries.length <= MOST; i++) {
    X.each(i, (f, value) => {
      if (value !== 0) entries.push([i, f, spell(value)]);
    });
  }
  if (entries.length > MOST) return { refused: "too large to compare" };
  return { shape: [X.samples, X.features], entries };
}

function describeColumns(X, names) {
  if (X.samples * X.features > MOST) return { refused: "too large to compare" };
  return { columns: names.map((name, f) => [name, Array.from({ length: X.samples }, (_, i) => spell(X.at(i, f)))]) };
}

/** A column of the studio's table has its numbers in 32 bits, NaN for what is missing. */
function describeTable({ columns, rows }) {
  if (columns.length * rows > MOST) return { refused: "too large to compare" };
  const read = (column) =>
    column.type === "text"
      ? Array.from(column.codes, (_, row) => textAt(column, row) || null)
      : Array.from(column.numbers, (value) => (Number.isNaN(value) ? null : spell(value)));
  return { columns: columns.map((column) => [column.name, read(column)]), single: true };
}

/** As JSON has it, and as Python spells it. */
function spell(value) {
  if (value === null || typeof value === "string") return value;
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
}
