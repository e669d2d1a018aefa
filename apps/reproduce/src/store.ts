import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cell } from "./cell.js";

/** A cell of the same version and seed need not be run again. */
export interface Stamp {
  readonly version: string;
  readonly seed: number;
}

/** Finished cells in memory and, with a folder, in a file from which another run continues. */
export interface Store {
  readonly cells: Iterable<Cell>;
  has(dataset: string, column: string, run: number): boolean;
  add(cells: readonly Cell[]): void;
}

export const FILE = "cells.jsonl";

/** Writes a file completely or not at all. */
export type WriteFile = (path: string, content: string) => Promise<void>;

export async function openStore(folder: string | undefined, stamp: Stamp, write: WriteFile): Promise<Store> {
  const cells = new Map<string, Cell>();
  const keyOf = (dataset: string, column: string, run: number) => `${dataset}/${column}/${run}`;
  const keep = (cell: Cell) => cells.set(keyOf(cell.dataset, cell.column, cell.run), cell);
  const path = folder === undefined ? null : join(folder, FILE);
  if (path !== null) {
    mkdirSync(folder!, { recursive: true });
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    const whole = lines.flatMap(parseLine);
    // A killed run may have left an incomplete line.
    await write(path, whole.map(({ line }) => `${line}\n`).join(""));
    for (const { version, seed, ...cell } of whole.map(({ record }) => record)) {
      if (version === stamp.version && seed === stamp.seed) keep(cell);
    }
  }
  return {
    get cells() {
      return cells.values();
    },
    has: (dataset, column, run) => cells.has(keyOf(dataset, column, run)),
    add(some) {
      for (const cell of some) keep(cell);
      if (path !== null)
        appendFileSync(path, some.map((cell) => `${JSON.stringify({ ...stamp, ...cell })}\n`).join(""));
    },
  };
}

function parseLine(line: string): { line: string; record: Cell & Stamp }[] {
  try {
    const record = JSON.parse(line) as Cell & Stamp;
    return typeof record?.accuracy === "number" ? [{ line, record }] : [];
  } catch {
    return [];
  }
}
