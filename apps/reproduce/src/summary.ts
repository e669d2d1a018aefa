import { type Bar, checkBars } from "./bars.js";
import type { Cell } from "./cell.js";
import { CHOICES, type Choice } from "./choices.js";
import { COLUMNS, type Column, REFERENCE } from "./columns.js";
import { findPaperDataset, type PaperDataset } from "./datasets.js";
import { FIGURES, type Figure, type Shape } from "./paper-figures.js";
import { type DatasetFile, SHARE } from "./samples.js";
import { deviationOf, type Interval, meanOf, medianOf, pair } from "./statistics.js";

interface Setting {
  readonly version: string;
  readonly machine: string;
  readonly seed: number;
  readonly runs: number;
}

/** Everything the table says, for people and programs. Accuracies are shares, times are seconds. */
export interface Results extends Setting {
  readonly datasets: readonly Block[];
  readonly bars: readonly Bar[];
  readonly choices: readonly Choice[];
}

/** One dataset. */
export interface Block extends Shape {
  readonly name: string;
  readonly title: string;
  readonly scale: string;
  /** What Table 1 says of it. */
  readonly paper: Shape | null;
  readonly lines: readonly Line[];
}

/** One column of Table 2, on one dataset. */
export interface Line {
  readonly column: string;
  readonly title: string;
  readonly accuracy: { readonly mean: number; readonly deviation: number | null; readonly values: readonly number[] };
  /** Medians over the runs that had the machine to themselves; null where there was none. */
  readonly train: number | null;
  readonly classify: number | null;
  readonly iterations: number | null;
  /** The share of runs that came to an end of their own. */
  readonly converged: number | null;
  /** Bytes that H takes. */
  readonly memory: number | null;
  readonly paper: Figure | null;
  /** `best`: ahead of every other, each interval without 0; `tied`: the best mean, or not surely behind it. */
  readonly mark: "best" | "tied" | null;
  /** The best mean's accuracy less this one's, with a 95 % interval. */
  readonly behind: Interval | null;
  /** This one's accuracy less that of Algorithm 1 by the nearest member. */
  readonly lead: Interval | null;
  /** How often `auto` chose what. */
  readonly chosen?: Readonly<Record<string, number>>;
}

export interface Experiment extends Setting {
  readonly datasets: readonly string[];
  readonly columns: readonly string[];
  /** By the dataset's name. */
  readonly files: Readonly<Record<string, DatasetFile>>;
}

export function summarise(cells: Iterable<Cell>, experiment: Experiment): Results {
  const { version, machine, seed, runs } = experiment;
  const all = [...cells].filter(({ run }) => run < runs).sort((a, b) => a.run - b.run);
  const columns = COLUMNS.filter(({ name }) => experiment.columns.includes(name));
  const datasets = experiment.datasets.map((name) => {
    const some = all.filter(({ dataset }) => dataset === name);
    return buildBlock(findPaperDataset(name), experiment.files[name], columns, some);
  });
  return { version, machine, seed, runs, datasets, bars: checkBars(datasets), choices: CHOICES };
}

function buildBlock(
  dataset: PaperDataset,
  { samples, features, classes }: DatasetFile,
  columns: readonly Column[],
  cells: readonly Cell[],
): Block {
  const { name, title, scale, against } = dataset;
  const of = (column: string) => cells.filter((cell) => cell.column === column);
  const shares = (column: string) => of(column).map(({ accuracy }) => accuracy);
  const means = columns.map((column) => meanOf(shares(column.name)));
  const best = columns[means.indexOf(Math.max(...means))].name;
  const compare = (a: string, b: string) => (a === b ? null : pair(shares(a), shares(b), (1 - SHARE) / SHARE));
  const behind = columns.map((column) => compare(best, column.name));
  // A single run has no intervals, and so no winner.
  const level = columns.filter((column, c) => column.name === best || behind[c] === null || behind[c].low <= 0);
  const markOf = (column: string) => {
    if (level.length === 1) return column === best ? "best" : null;
    return level.some((other) => other.name === column) ? "tied" : null;
  };
  const hasReference = columns.some((column) => column.name === REFERENCE);
  return {
    name,
    title,
    scale,
    samples,
    features,
    classes: against === undefined ? classes : 2,
    paper: FIGURES.get(name)?.shape ?? null,
    lines: columns.map((column, c) => ({
      ...buildLine(column, of(column.name)),
      paper: column.paper === undefined ? null : (FIGURES.get(name)?.figures[column.paper] ?? null),
      mark: markOf(column.name),
      behind: behind[c],
      lead: hasReference ? compare(column.name, REFERENCE) : null,
    })),
  };
}

type Measured = Omit<Line, "paper" | "mark" | "behind" | "lead">;

function buildLine({ name, title }: Column, cells: readonly Cell[]): Measured {
  const values = cells.map(({ accuracy }) => accuracy);
  const timed = cells.filter(({ alone }) => alone);
  const time = (part: "train" | "classify") => (timed.length === 0 ? null : medianOf(timed.map((cell) => cell[part])));
  const iterations = cells.flatMap((cell) => cell.iterations ?? []);
  const settled = cells.filter(({ stopped }) => stopped === "fixed-point" || stopped === "tolerance").length;
  const chosen: Record<string, number> = Object.create(null);
  for (const cell of cells) if (cell.chosen !== undefined) chosen[cell.chosen] = (chosen[cell.chosen] ?? 0) + 1;
  return {
    column: name,
    title,
    accuracy: { mean: meanOf(values), deviation: deviationOf(values), values },
    train: time("train"),
    classify: time("classify"),
    iterations: iterations.length === 0 ? null : meanOf(iterations),
    converged: iterations.length === 0 ? null : settled / cells.length,
    memory: cells[0].memory,
    ...(Object.keys(chosen).length > 0 && { chosen }),
  };
}
