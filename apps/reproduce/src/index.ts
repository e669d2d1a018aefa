/** The paper's experiment: Table 2 run again, its figures beside ours. `bonmf reproduce` is its command. */
export type { Cell } from "./cell.js";
export { findPaperDataset } from "./datasets.js";
export { countMissing, type Progress, runExperiment } from "./experiment.js";
export { describe, HEADS, head, LEGEND, layOut } from "./layout.js";
export { writeResults } from "./result-files.js";
export type { DatasetFile } from "./samples.js";
export { FILE, openStore, type Store, type WriteFile } from "./store.js";
export { type Experiment, type Line, type Results, summarise } from "./summary.js";
