import { readFile } from "node:fs/promises";
import { Dense, loadModel, type Model, readCsv, readNpy, writeNpy } from "bonmf";
import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../errors.js";
import { writeWhole } from "../write/file.js";
import { formatOf, PROTOTYPES } from "../write/format.js";
import { type Column, openTable, type TextOptions, type Value } from "../write/table.js";
import { INITS } from "./fit-options.js";
import { namesOf } from "./model-file.js";

/** Columns that --prototypes writes before the features. */
const OWN = ["cluster", "size", "name"];

/** What the samples of a fit are, for prototypes to start from. */
interface Wanted {
  readonly k: number;
  readonly features: number;
  readonly names: readonly string[] | undefined;
}

/**
 * Reads prototypes to start from, in the units of the samples: a CSV or NPY file, or those of a model. Features go by name
 * where both have names.
 */
export async function readPrototypes(path: string, { k, features, names }: Wanted): Promise<Dense> {
  const { W, found } = await readRows(path);
  if (W.samples !== k) {
    throw new UserError(`${path} has ${W.samples} prototypes, but --k is ${k}`, `write --k ${W.samples}`);
  }
  if (!found || !names) {
    if (W.features === features) return W;
    throw new UserError(`the prototypes in ${path} have ${W.features} features, but the samples have ${features}`);
  }
  const places = names.map((name) => {
    const place = found.indexOf(name);
    if (place >= 0) return place;
    throw new UserError(
      `the prototypes in ${path} have no column ${JSON.stringify(name)}, which is a feature of the samples`,
      askNearest(name, found) ?? "give one number for each feature, under its name",
    );
  });
  return takeFeatures(W, places);
}

async function readRows(path: string): Promise<{ W: Dense; found: readonly string[] | null }> {
  if (/\.npy$/i.test(path)) {
    const { X } = readNpy(await readBytes(path), { name: path, precision: "f64" });
    return { W: X.toDense(), found: null };
  }
  if (/\.(csv|tsv|txt)$/i.test(path)) {
    const bytes = await readBytes(path);
    const header = new TextDecoder().decode(bytes.subarray(0, 4096)).split(/\r?\n/, 1)[0];
    const cells = header.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    const skip = OWN.filter((name) => cells.includes(name));
    const { X, featureNames } = readCsv(bytes, { name: path, precision: "f64", skip });
    return { W: X.toDense(), found: featureNames ?? null };
  }
  const model = loadModel(await readBytes(path), path);
  return { W: model.scaler.inverse(model.W), found: model.featureNames };
}

async function readBytes(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? unknownInit(path) : error;
  });
}

/** An --init that is neither a name nor a file. */
function unknownInit(given: string): UserError {
  return new UserError(
    `--init ${given} is neither a file nor one of ${INITS.join(", ")}`,
    askNearest(given, INITS) ?? "a file holds prototypes: .csv, .npy, or a model",
  );
}

function takeFeatures(W: Dense, places: readonly number[]): Dense {
  const data = new Float64Array(W.samples * places.length);
  for (let j = 0; j < W.samples; j++) {
    const row = W.row(j);
    places.forEach((place, f) => {
      data[j * places.length + f] = row[place];
    });
  }
  return new Dense(W.samples, places.length, data);
}

/** Writes W in the units of the samples, as far as the scaler can be undone: a row for each cluster. */
export async function writePrototypes(path: string, model: Model, options: TextOptions = {}): Promise<void> {
  const W = model.scaler.inverse(model.W);
  const format = formatOf(path, PROTOTYPES);
  if (format === "npy") return writeWhole(path, writeNpy(W));
  const { columns, rows } = tabulate(model, W);
  if (format === "json") {
    const objects = rows.map((row) => JSON.stringify(Object.fromEntries(columns.map(({ name }, c) => [name, row[c]]))));
    return writeWhole(path, `[\n${objects.join(",\n")}\n]\n`);
  }
  const table = await openTable(path, columns, format, null, options);
  try {
    await table.write(rows);
    await table.commit();
  } catch (error) {
    await table.discard();
    throw error;
  }
}

function tabulate(model: Model, W: Dense): { columns: Column[]; rows: Value[][] } {
  const names = namesOf(model);
  const features = model.featureNames ?? Array.from({ length: W.features }, (_, f) => `f${f + 1}`);
  const taken = new Set(features.map((name) => name.toLowerCase()));
  const free = (name: string) => {
    let found = name;
    for (let n = 2; taken.has(found); n++) found = `${name}_${n}`;
    return found;
  };
  const columns: Column[] = [
    { name: free("cluster"), type: "integer" },
    { name: free("size"), type: "integer" },
    ...(names ? [{ name: free("name"), type: "text" } as const] : []),
    ...features.map((name) => ({ name, type: "double" }) as const),
  ];
  const rows = Array.from({ length: model.k }, (_, j): Value[] => [
    j,
    model.counts[j],
    ...(names ? [names[j]] : []),
    ...W.row(j),
  ]);
  return { columns, rows };
}
