import type { Matrix } from "../matrix/matrix.js";
import { encode, type Label } from "../measure/labels.js";
import { fit } from "../model/fit.js";
import type { FitOptions } from "../model/options.js";
import { type CalibrationMap, fitCalibration } from "./calibration.js";
import { type Classifier, classifier } from "./classifier.js";
import { codeCount, type Experiment, type Measure, SETTINGS, tryFamily } from "./cross-validation.js";
import type { Votes } from "./decision.js";
import { holdout } from "./folds.js";
import type { Found } from "./search.js";
import { type Candidate, shareRight } from "./tally.js";

interface Run extends Pick<FitOptions, "seed" | "featureNames" | "tags" | "threads" | "signal"> {
  readonly measure: Measure;
}

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
  { measure, ...run }: Run,
): Promise<Classifier<L>> {
  const { threads, signal } = run;
  const classWeights = measure === "balanced" ? "balanced" : null;
  const classes = encode(y).names.length;
  const fitted = async (k: number, more: Partial<FitOptions> = {}) =>
    fit(X, { ...run, init: "plusplus", k: Math.min(k, X.samples), scale, ...more });
  if (scheme === "majority" || scheme === "prototypes")
    return classifier(await fitted(clustersPerClass * classes), X, y, { scheme, classWeights, threads, signal });
  if (scheme === "vote") {
    // An exact vote by angle does not depend on the clusters; about √n/2 of them make it fast.
    const k = metric === "angle" ? Math.ceil(Math.sqrt(X.samples) / 2) : classes;
    return classifier(await fitted(k), X, y, { scheme, neighbors, metric: metric!, votes: votes!, classWeights });
  }
  if (scheme === "linear")
    return classifier(await fitted(classes), X, y, { scheme, penalty, classWeights, threads, signal });
  const model = await fitted(codeCount(X.samples), { ...SETTINGS, method: "kmeans" });
  return classifier(model, X, y, { scheme, penalty, sharpness, classWeights, threads, signal });
}

/** Calibrates the chosen candidate on the samples that the search left out. */
export function calibrateFound({ chosen, shares, places }: Found, experiment: Experiment): Decided {
  const { y, classes, worth, measure } = experiment;
  if (classes === 1) return { chosen, calibration: null };
  const truth = places.map((id) => y[id]);
  return { chosen, calibration: fitCalibration(shares, truth, classes, measure === "balanced" ? worth : null) };
}

/** Samples that are left out of one more training, at most. */
const LEFT_OUT = 2000;
/** A candidate of another scheme that is farther behind does not catch up with more samples. */
const BEHIND = 0.03;

/**
 * The search saw a part of the samples. Neighbours and codes gain from more of them: the best candidate of each is trained on all but
 * 2,000 samples beside the chosen one, and the best on those wins. More samples want other numbers of neighbours: all votes that the
 * search tried are counted again. The samples that were left out calibrate the winner too.
 */
export async function compareFinalists(
  experiment: Omit<Experiment, "parts" | "folds">,
  { chosen, tried }: Found,
): Promise<Decided> {
  const { X, y, classes, measure, seed } = experiment;
  const worth = measure === "balanced" ? experiment.worth : null;
  if (classes === 1) return { chosen, calibration: null };
  const others = (["vote", "linear+codes"] as const)
    .filter((scheme) => scheme !== chosen.scheme)
    .map((scheme) => bestOf(tried, scheme, measure))
    .filter((candidate) => candidate !== undefined && candidate[measure] > chosen[measure] - BEHIND);
  const part = holdout(y, 1 - Math.min(0.2, LEFT_OUT / X.samples), seed);
  const truth = part.test.map((i) => y[i]);
  let best: { chosen: Candidate; votes: readonly Votes[]; right: number } | null = null;
  for (const candidate of [chosen, ...(others as Candidate[])]) {
    const rivals = candidate.scheme === "vote" ? tried.filter((other) => isOfFamily(other, candidate)) : [candidate];
    const answers = await tryFamily(experiment, part, rivals, new Map());
    answers.forEach((votes, a) => {
      const right = shareRight(
        Uint32Array.from(votes, ({ winner }) => winner),
        truth,
        worth,
      );
      if (best === null || right > best.right) best = { chosen: rivals[a], votes, right };
    });
  }
  const { chosen: winner, votes } = best!;
  const shares = new Float64Array(votes.length * classes);
  votes.forEach((vote, i) => {
    shares.set(vote.shares, i * classes);
  });
  return { chosen: winner, calibration: fitCalibration(shares, truth, classes, worth) };
}

function bestOf(tried: readonly Candidate[], wanted: Candidate["scheme"], measure: Measure): Candidate | undefined {
  const own = tried.filter(({ scheme }) => scheme === wanted);
  return own.sort((a, b) => b.folds - a.folds || b[measure] - a[measure])[0];
}

function isOfFamily(a: Candidate, b: Candidate): boolean {
  return a.scheme === b.scheme && a.scale === b.scale && a.metric === b.metric;
}
