/** The names that the command takes; loads nothing else. */
import { COLUMNS } from "./columns.js";
import { DATASETS, NINE } from "./datasets.js";

export const METHOD_NAMES: readonly string[] = COLUMNS.map(({ name }) => name);
export const DATASET_NAMES: readonly string[] = DATASETS.map(({ name }) => name);
/** The datasets of the paper's table. */
export const PAPER_DATASETS: readonly string[] = NINE;
