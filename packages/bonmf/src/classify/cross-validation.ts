import type { Matrix } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import { fitScaler, type ScaleName } from "../scale/scaler.js";
import { train, type Votes } from "./decision.js";
import type { Split } from "./folds.js";
import { byMajority, countVotes, NeighborSearch } from "./vote.js";

/** A way to classify. */
export interface Configuration {
  /** The scaler. */
  readonly scale: ScaleName;
  /** `vote` is exact here; `nearest` would be an inexact vote of one neighbour. */
  readonly scheme: "majority" | "vote";
  /** 0 for `vote`, whose result does not depend on the clusters. */
  readonly clustersPerClass: number;
  /** How many neighbours vote; 0 for `majority`. */
  readonly neighbors: number;
}

/** A configuration and its result in cross-validation. */
export interface Candidate extends Configuration {
  /** The share of samples classified correctly when they were left out. */
  readonly accuracy: number;
  /** The standard deviation of that share over the folds. */
  readonly deviation: number;
}

/** The candidates: each scaler with each number of clusters (`majority`) and each number of neighbours (`vote`). */
export interface Grid {
  readonly scales: readonly ScaleName[];
  readonly clustersPerClass: readonly number[];
  readonly neighbors: readonly number[];
}

/** Labelled samples and how they are split. */
export interface Experiment {
  readonly X: Matrix;
  /** n class numbers. */
  readonly y: Uint32Array;
  readonly classes: number;
  readonly parts: readonly Split[];
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
}

/** Cross-validates the grid. Best first; ties go to `majority`, then to fewer clusters or more neighbours. */
export async function crossValidate(experiment: Experiment, grid: Grid): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const scale of grid.scales) {
    const rounds: FoldScore[][] = [];
    for (const part of experiment.parts) rounds.push(await tryPart(experiment, part, scale, grid));
    rounds[0].forEach(({ configuration }, t) => {
      const right = rounds.map((round) => round[t].right);
      candidates.push({ ...configuration, ...summarise(right, experiment) });
    });
  }
  return candidates.sort(
    (a, b) =>
      b.accuracy - a.accuracy ||
      Number(a.scheme === "vote") - Number(b.scheme === "vote") ||
      a.clustersPerClass - b.clustersPerClass ||
      b.neighbors - a.neighbors,
  );
}

/** A configuration, and how many test samples of one fold it classified correctly. */
interface FoldScore {
  readonly configuration: Configuration;
  readonly right: number;
}

async function tryPart(experiment: Experiment, part: Split, scale: ScaleName, grid: Grid): Promise<FoldScore[]> {
  const { classes, seed, signal } = experiment;
  const X = experiment.X.take(part.train);
  const scaler = fitScaler(scale, X);
  const Z = scaler.transform(X);
  const Q = scaler.transform(experiment.X.take(part.test));
  const y = part.train.map((i) => experiment.y[i]);
  const truth = part.test.map((i) => experiment.y[i]);
  const scores: FoldScore[] = [];
  const record = (configuration: Configuration, decided: readonly Pick<Votes, "winner">[]) => {
    scores.push({ configuration, right: decided.filter(({ winner }, i) => winner === truth[i]).length });
  };

  // After ten sweeps nearly all labels are final.
  const settings = { seed, signal, init: "plusplus", maxIterations: 10 } as const;
  let training = null;
  for (const clustersPerClass of grid.clustersPerClass) {
    const k = classes * clustersPerClass;
    training = train(await fit(Z, { k, ...settings }), Z, y, classes);
    record({ scale, scheme: "majority", clustersPerClass, neighbors: 0 }, byMajority(training).decide(Q));
  }
  if (grid.neighbors.length === 0) return scores;
  training ??= train(await fit(Z, { k: 1, ...settings }), Z, y, classes);
  // A shorter list of neighbours is a prefix of a longer one: one search serves all.
  const search = await NeighborSearch.open(training, Math.max(...grid.neighbors), "exact");
  const lists = Array.from(search.blocks(Q), (block) => block.lists).flat();
  for (const neighbors of grid.neighbors) {
    const votes = lists.map((found) => countVotes(found.slice(0, neighbors), y, classes));
    record({ scale, scheme: "vote", clustersPerClass: 0, neighbors }, votes);
  }
  return scores;
}

function summarise(right: readonly number[], { X, parts }: Experiment): Omit<Candidate, keyof Configuration> {
  const accuracy = right.reduce((a, b) => a + b) / X.samples;
  const shares = right.map((count, part) => count / parts[part].test.length);
  const variance = shares.reduce((sum, share) => sum + (share - accuracy) ** 2, 0) / (shares.length - 1);
  return { accuracy, deviation: Math.sqrt(variance) };
}
