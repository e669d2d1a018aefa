import type { ClassifierOptions, FitOptions } from "bonmf";
import type { TitleName } from "./paper-figures.js";

/** One line of the table for each dataset: a training and a way to classify. */
export interface Column {
  readonly name: string;
  readonly title: string;
  /** The paper's column to compare with. */
  readonly paper?: TitleName;
  /** How a factorisation classifies. */
  readonly scheme?: ClassifierOptions;
}

/** A training, and the columns that share it. */
export interface Learner {
  readonly name: string;
  readonly title: string;
  /** Absent where training is no factorisation. */
  readonly fit?: Omit<FitOptions, "k">;
  /** Clusters for n training samples; by default as many as there are classes. */
  readonly clusters?: (samples: number) => number;
  readonly columns: readonly Column[];
}

const columns = { init: "columns" } as const;
/** The paper names no limit; 100 is the one of the library it used for ONMF, and its times for NMF are alike. */
const LIMIT = 100;

/** In the order of Table 2, then what stands beside it. */
export const LEARNERS: readonly Learner[] = [
  {
    name: "onmf",
    title: "ONMF",
    fit: { method: "onmf", init: "random", maxIterations: LIMIT },
    columns: [
      { name: "onmf", title: "ONMF", paper: "onmf", scheme: { scheme: "onmf" } },
      { name: "onmf+cos", title: "ONMF+cos", paper: "onmf+cos", scheme: { scheme: "onmf+cos" } },
    ],
  },
  {
    name: "nmf",
    title: "Lee and Seung",
    fit: { method: "nmf", ...columns, maxIterations: LIMIT },
    columns: [{ name: "nmf", title: "Lee and Seung", paper: "nmf", scheme: { scheme: "coefficients" } }],
  },
  {
    name: "semi-binary",
    title: "Zhang et al.",
    fit: { method: "semi-binary", ...columns, maxIterations: LIMIT },
    columns: [{ name: "semi-binary", title: "Zhang et al.", paper: "semi-binary", scheme: { scheme: "coefficients" } }],
  },
  {
    name: "bonmf",
    title: "Algorithm 1",
    fit: { method: "bonmf", ...columns },
    columns: [
      { name: "majority", title: "Algorithm 1, majority", paper: "algorithm1", scheme: { scheme: "majority" } },
      { name: "nearest", title: "Algorithm 1, nearest", paper: "algorithm1", scheme: { scheme: "nearest" } },
    ],
  },
  {
    name: "literal",
    title: "Algorithm 1 to the letter",
    fit: { method: "bonmf", update: "multiplicative", ...columns },
    columns: [
      {
        name: "literal-majority",
        title: "… to the letter, majority",
        paper: "algorithm1",
        scheme: { scheme: "majority" },
      },
      {
        name: "literal-nearest",
        title: "… to the letter, nearest",
        paper: "algorithm1",
        scheme: { scheme: "nearest" },
      },
    ],
  },
  {
    name: "kmeans",
    title: "k-means",
    fit: { method: "kmeans", init: "plusplus" },
    columns: [
      { name: "kmeans-majority", title: "k-means, majority", scheme: { scheme: "majority" } },
      { name: "kmeans-nearest", title: "k-means, nearest", scheme: { scheme: "nearest" } },
    ],
  },
  {
    name: "1-nn",
    title: "exact 1-NN by angle",
    // The answer does not depend on the clusters; this number is the fastest.
    fit: { method: "bonmf", init: "plusplus", maxIterations: 10 },
    clusters: (samples) => Math.ceil(Math.sqrt(samples) / 2),
    columns: [{ name: "1-nn", title: "exact 1-NN by angle", scheme: { scheme: "vote", neighbors: 1 } }],
  },
  { name: "commonest", title: "commonest class", columns: [{ name: "commonest", title: "commonest class" }] },
  { name: "auto", title: "bonmf auto", columns: [{ name: "auto", title: "bonmf auto" }] },
];

/** In the order of the table. */
const ORDER = ["onmf", "nmf", "majority", "nearest", "literal-majority", "literal-nearest", "onmf+cos", "semi-binary"];
const all = LEARNERS.flatMap((learner) => learner.columns);
export const COLUMNS: readonly Column[] = [
  ...ORDER.map((name) => all.find((column) => column.name === name)!),
  ...all.filter(({ name }) => !ORDER.includes(name)),
];

/** What differences are measured from. */
export const REFERENCE = "nearest";
export const OURS = "auto";
export const BASELINE = "commonest";

export function findLearner(column: string): Learner {
  return LEARNERS.find((learner) => learner.columns.some(({ name }) => name === column))!;
}
