import { basename } from "node:path";
import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../errors.js";
import type { Dataset, Entry } from "./entry.js";
import { other } from "./other.js";
import { paper } from "./paper.js";

export const DATASETS: readonly Dataset[] = [...paper, ...other];

/** "orl/orl.csv.gz" → "orl": each file has a name of its own. */
export function nameOf(entry: Entry): string {
  return basename(entry.path).replace(/\..*$/, "");
}

/** The files of a name, the main one first: all of a dataset, or a single one. */
export function lookUp(name: string): { readonly dataset: Dataset; readonly files: readonly Entry[] } {
  for (const dataset of DATASETS) {
    if (dataset.name === name) return { dataset, files: dataset.files };
    const entry = dataset.files.find((file) => nameOf(file) === name);
    if (entry) return { dataset, files: [entry] };
  }
  const names = DATASETS.flatMap((dataset) => [dataset.name, ...dataset.files.map(nameOf)]);
  throw new UserError(
    `there is no dataset ${JSON.stringify(name)}`,
    askNearest(name, [...new Set(names)]) ?? "bonmf datasets lists them; other datasets: openml:ID",
  );
}
