import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readCsv, readLibsvm, type Table } from "../src/io/index.js";

/** One file of samples, as the manifest describes it. */
export interface DatasetFile {
  path: string;
  format: "csv" | "libsvm" | "vocab" | "docs-csv";
  rows: number;
  features: number;
  classCounts: Record<string, number>;
  min: number;
  max: number;
  zeroRows: number;
  /** Columns of text, which are left out. */
  categoricalColumns?: string[];
  vocab?: string;
}

export interface Dataset {
  name: string;
  role: "paper" | "extra";
  files: DatasetFile[];
}

/** vitest.config.js names a folder: the benchmark datasets, or generated files of the same shapes. */
const folder = process.env.BONMF_DATA_DIR ?? "";
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { datasets: Dataset[] };

/** Whether these are the datasets of the paper. */
export const isReal = process.env.BONMF_DATA_REAL === "1";

/** The manifest's datasets with their sample files, the main file first. */
export const datasets: Dataset[] = manifest.datasets.map(({ name, role, files }) => ({
  name,
  role,
  files: files.filter(({ format }) => format === "csv" || format === "libsvm"),
}));

/** The nine datasets of the paper. */
export const paperDatasets = [
  "orl",
  "optdigits",
  "phishing",
  "monkey",
  "pendigits",
  "diabetes",
  "w8a",
  "banking",
  "svmguide",
];

/** "monkey/monks-2.csv.gz" → "monks-2". */
export function stemOf({ path }: DatasetFile): string {
  return basename(path).split(".")[0];
}

/** Reads a dataset's main file by the dataset's name ("monkey"), or any file by its own ("monks-2"). */
export async function loadDataset(name: string): Promise<Table & { name: string }> {
  const file =
    datasets.find((dataset) => dataset.name === name)?.files[0] ??
    datasets.flatMap(({ files }) => files).find((candidate) => stemOf(candidate) === name);
  if (!file)
    throw new Error(`no dataset ${name}; there are ${datasets.map((d) => d.name).join(", ") || "none at all"}`);
  const bytes = await unpack(file.path);
  const table =
    file.format === "csv"
      ? readCsv(bytes, { name: file.path, label: "class", skip: file.categoricalColumns })
      : readLibsvm(bytes, { name: file.path, features: file.features });
  if (file.vocab)
    table.featureNames = new TextDecoder()
      .decode(await unpack(file.vocab))
      .trimEnd()
      .split("\n");
  return { ...table, name };
}

async function unpack(path: string): Promise<Uint8Array> {
  return gunzipSync(await readFile(join(folder, path)));
}
