import type { Cell } from "../src/cell.js";
import { type Results, summarise } from "../src/summary.js";

/** Monkey's shape; nothing is read. */
export const files = { monkey: { path: "", samples: 556, features: 6, classes: 2 } };
const experiment = { files, version: "9.9.9", machine: "a machine", seed: 0, runs: 3 };

export function makeCell(
  dataset: string,
  column: string,
  run: number,
  accuracy: number,
  more: Partial<Cell> = {},
): Cell {
  const facts = { train: 1 + run, classify: 0.5, alone: true, iterations: 10, stopped: "fixed-point", memory: 445 };
  return { dataset, column, run, accuracy, ...facts, ...more };
}

/** Accuracies of three runs for each column, on Monkey. */
export function makeResults(columns: Record<string, readonly number[]>, more: Partial<Cell> = {}): Results {
  return summarise(makeCells(columns, more), { ...experiment, datasets: ["monkey"], columns: Object.keys(columns) });
}

export function makeCells(columns: Record<string, readonly number[]>, more: Partial<Cell> = {}): Cell[] {
  return Object.entries(columns).flatMap(([column, values]) =>
    values.map((accuracy, run) => makeCell("monkey", column, run, accuracy, more)),
  );
}
