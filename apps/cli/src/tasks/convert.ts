import { stat } from "node:fs/promises";
import { Dense, writeNpy } from "bonmf";
import type { Call, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { orAbort } from "../pause.js";
import type { Data } from "../read/data.js";
import { readOptions } from "../read/options.js";
import { readData } from "../read/read.js";
import { freeOutput } from "../show/terminal.js";
import { bytes, count, plural } from "../show/text.js";
import { STDOUT, writeWhole } from "../write/file.js";
import { checkGzip, FORMATS, type Format, formatOf, TABLES } from "../write/format.js";
import { writeData } from "../write/matrix.js";
import { openTable, type TextOptions, typeOf } from "../write/table.js";
import { refuseMask } from "./fit-options.js";
import { readTextOptions } from "./result-options.js";

export async function run(call: Call): Promise<void> {
  const { args, options, signal } = call;
  refuseMask(options, "bonmf convert");
  const asked = readOptions(call);
  const sources = args.slice(0, -1);
  const out = args.at(-1);
  if (out === undefined || (sources.length === 0 && asked.sql === undefined)) {
    throw new UserError("convert needs an input and an output", "bonmf convert data.csv data.parquet");
  }
  const terminal = out === STDOUT ? freeOutput(call.terminal) : call.terminal;
  const format = chooseFormat(out, options.string("to"));
  const labelsOut = options.string("labels-out");
  if (labelsOut !== undefined) formatOf(labelsOut, [...TABLES, "npy"]);

  const data = await read(call, sources);
  if (labelsOut !== undefined && !data.labels) {
    throw new UserError("--labels-out: the samples have no labels", "name the column of labels: --label COLUMN");
  }
  const names = { id: asked.id ?? "id", label: asked.label ?? "label", weight: asked.weight ?? "weight" };
  const text = readTextOptions(options);
  const progress = terminal.progress("Writing");
  const onProgress = (done: number, total: number) => progress.update(done, total, "rows");
  const left = await writeData(out, data, format, { ...text, names, signal, onProgress }).finally(() => progress.end());
  if (labelsOut !== undefined) await writeLabels(labelsOut, data.labels!, names.label, text);
  await report(terminal, { data, out, format, labelsOut, left });
}

function chooseFormat(out: string, to: string | undefined): Format {
  const format = FORMATS.find((name) => name === to) ?? formatOf(out, FORMATS);
  checkGzip(out, format);
  return format;
}

async function read(call: Call, sources: readonly string[]): Promise<Data> {
  const progress = call.terminal.progress("Reading");
  try {
    const onProgress = progress.update.bind(progress);
    return await orAbort(readData(sources, { ...readOptions(call), onProgress }), call.signal);
  } finally {
    progress.end();
  }
}

async function writeLabels(
  path: string,
  labels: readonly (string | number)[],
  name: string,
  text: TextOptions,
): Promise<void> {
  if (formatOf(path, [...TABLES, "npy"]) === "npy") {
    const numbers = labels.map(Number);
    const bad = numbers.findIndex(Number.isNaN);
    if (bad >= 0) {
      throw new UserError(
        `${path}: an .npy file holds only numbers, but the label of sample ${bad + 1} is ${JSON.stringify(labels[bad])}`,
        "write the labels as .csv",
      );
    }
    await writeWhole(path, writeNpy(new Dense(numbers.length, 1, Float64Array.from(numbers))));
    return;
  }
  const table = await openTable(path, [{ name, type: typeOf(labels) }], undefined, null, text);
  try {
    await table.write(labels.map((label) => [label]));
    await table.commit();
  } catch (error) {
    await table.discard();
    throw error;
  }
}

interface Written {
  readonly data: Data;
  readonly out: string;
  readonly format: Format;
  readonly labelsOut: string | undefined;
  readonly left: readonly string[];
}

async function report(terminal: Terminal, { data, out, format, labelsOut, left }: Written): Promise<void> {
  const { samples, features, kind: layout } = data.X;
  const size = out === STDOUT ? null : (await stat(out)).size;
  const lost = left.filter((what) => what !== "labels" || labelsOut === undefined);
  if (terminal.json) {
    const from = { kind: data.kind, samples, features, layout, labels: data.labels !== null };
    const to = { format, path: out, bytes: size, labels: labelsOut ?? null };
    terminal.out(JSON.stringify({ from, to, leftOut: lost }));
    return;
  }
  for (const note of data.notes) terminal.note(note);
  if (lost.length > 0) {
    const hint = lost.includes("labels") ? " (--labels-out FILE keeps the labels)" : "";
    terminal.note(`not written, because ${format} cannot hold them: ${lost.join(", ")}${hint}`);
  }
  const shape = `${plural(samples, "sample")} × ${count(features)}`;
  const target = size === null ? "standard output" : `${out} (${bytes(size)})`;
  terminal.out(`${shape}, ${layout}: ${data.kind} → ${format}, ${target}`);
}
