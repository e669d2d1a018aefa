import type { Matrix } from "../matrix/matrix.js";
import { encode, type Label } from "../measure/labels.js";
import { fit } from "../model/fit.js";
import type { FitOptions } from "../model/options.js";
import { type CalibrationMap, fitCalibration } from "./calibration.js";
import { type Classifier, classifier } from "./classifier.js";
import { codeCount, type Experiment, SETTINGS, tryFamily } from "./cross-validation.js";
import type { Votes } from "./decision.js";
import { holdout } from "./folds.js";
import type { Candidate, Found } from "./search.js";

type Run = Pick<FitOptions, "seed" | "featureNames" | "tags" | "threads" | "signal">;

/** A candidate, and how its shares become probabilities. */
interface Decided {
  readonly chosen: Candidate;
  /** null where there is one class. */
  readonly calibration: CalibrationMap | null;
}

/** Trains a candidate on samples. */
export async function trainCandidate<L extends Label>(
  X: Matrix,
  y: ArrayLike<L>,
  { scheme, scale, neighbors, clustersPerClass, metric, votes, penalty, sharpness }: Candidate,
  run: Run,
): Promise<Classifier<L>> {
  const { threads, signal } = run;
  const classes = encode(y).names.length;
  const fitted = async (k: number, more: Partial<FitOptions> = {}) =>
    fit(X, { ...run, init: "plusplus", k: Math.min(k, X.samples), scale, ...more });
  if (scheme === "majority" || scheme === "prototypes")
    return classifier(await fitted(clustersPerClass * classes), X, y, { scheme, threads, signal });
  if (scheme === "vote") {
    // An exact vote by angle does not depend on the clusters; about √n/2 of them make it fast.
    const k = metric === "angle" ? Math.ceil(Math.sqrt(X.samples) / 2) : classes;
    return classifier(await fitted(k), X, y, { scheme, neighbors, metric: metric!, votes: votes! });
  }
  if (scheme === "linear") return classifier(await fitted(classes), X, y, { scheme, penalty, threads, signal });
  const model = await fitted(codeCount(X.samples), { ...SETTINGS, method: "kmeans" });
  return classifier(model, X, y, { scheme, penalty, sharpness, threads, signal });
}

/** Calibrates the chosen candidate on the samples that the search left out. */
export function calibrateFound({ chosen, shares, places }: Found, { y, classes }: Experiment): Decided {
  if (classes === 1) return { chosen, calibration: null };
  const truth = places.map((id) => y[id]);
  return { chosen, calibration: fitCalibration(shares, truth, classes) };
}

/** Samples that are left out of one more training, at most. */
const LEFT_OUT = 2000;
/** A candidate of another scheme that is farther behind does not catch up with more samples. */
const BEHIND = 0.03;

/**
 * The search saw a part of the samples. Neighbours and codes gain from more of them: the best candidate of each is trained on all but
 * 2,000 samples beside the chosen one, and the most accurate on those wins. More samples want other numbers of neighbours: all votes that the
 * search tried are counted again. The samples that were left out calibrate the winner too.
 */
export async function compareFinalists(
  experiment: Omit<Experiment, "parts" | "folds">,
  { chosen, tried }: Found,
): Promise<Decided> {
  const { X, y, classes, seed } = experiment;
  if (classes === 1) return { chosen, calibration: null };
  const others = (["vote", "linear+codes"] as const)
    .filter((scheme) => scheme !== chosen.scheme)
    .map((scheme) => bestOf(tried, scheme))
    .filter((candidate) => candidate !== undefined && candidate.accuracy > chosen.accuracy - BEHIND);
  const part = holdout(y, 1 - Math.min(0.2, LEFT_OUT / X.samples), seed);
  const truth = part.test.map((i) => y[i]);
  let best: { chosen: Candidate; votes: readonly Votes[]; right: number } | null = null;
  for (const candidate of [chosen, ...(others as Candidate[])]) {
    const rivals = candidate.scheme === "vote" ? tried.filter((other) => isOfFamily(other, candidate)) : [candidate];
    const answers = await tryFamily(experiment, part, rivals, new Map());
    answers.forEach((votes, a) => {
      const right = votes.filter(({ winner }, i) => winner === truth[i]).length;
      if (best === null || right > best.right) best = { chosen: rivals[a], votes, right };
    });
  }
  const { chosen: winner, votes } = best!;
  const shares = new Float64Array(votes.length * classes);
  votes.forEach((vote, i) => {
    shares.set(vote.shares, i * classes);
  });
  return { chosen: winner, calibration: fitCalibration(shares, truth, classes) };
}

function bestOf(tried: readonly Candidate[], wanted: Candidate["scheme"]): Candidate | undefined {
  const own = tried.filter(({ scheme }) => scheme === wanted);
  return own.sort((a, b) => b.folds - a.folds || b.accuracy - a.accuracy)[0];
}

function isOfFamily(a: Candidate, b: Candidate): boolean {
  return a.scheme === b.scheme && a.scale === b.scale && a.metric === b.metric;
}
