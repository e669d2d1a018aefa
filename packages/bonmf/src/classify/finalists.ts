import type { Matrix } from "../matrix/matrix.js";
import { encode, type Label } from "../measure/labels.js";
import { fit } from "../model/fit.js";
import type { FitOptions } from "../model/options.js";
import { type CalibrationMap, fitCalibration } from "./calibration.js";
import { type Classifier, classifier } from "./classifier.js";
import { codeCount, type Experiment } from "./cross-validation.js";
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
  { scheme, scale, neighbors, clustersPerClass, metric, penalty, sharpness }: Candidate,
  run: Run,
): Promise<Classifier<L>> {
  const { threads, signal } = run;
  const classes = encode(y).names.length;
  const fitted = async (k: number, method: "bonmf" | "kmeans" = "bonmf") =>
    fit(X, { ...run, k: Math.min(k, X.samples), scale, init: "plusplus", method });
  if (scheme === "majority") return classifier(await fitted(clustersPerClass * classes), X, y, { scheme });
  if (scheme === "vote") {
    // An exact vote by angle does not depend on the clusters; about √n/2 of them make it fast.
    const k = metric === "angle" ? Math.ceil(Math.sqrt(X.samples) / 2) : classes;
    return classifier(await fitted(k), X, y, { scheme, neighbors, metric: metric ?? "angle" });
  }
  if (scheme === "linear") return classifier(await fitted(classes), X, y, { scheme, penalty, threads, signal });
  const model = await fitted(codeCount(X.samples), "kmeans");
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
 * 2,000 samples beside the chosen one, and the most accurate on those wins. They calibrate it too.
 */
export async function compareFinalists<L extends Label>(
  X: Matrix,
  y: ArrayLike<L>,
  { chosen, tried }: Found,
  run: Run,
): Promise<Decided> {
  const { names, codes } = encode(y);
  if (names.length === 1) return { chosen, calibration: null };
  const others = (["vote", "linear+codes"] as const)
    .filter((scheme) => scheme !== chosen.scheme)
    .map((scheme) => bestOf(tried, scheme))
    .filter((candidate) => candidate !== undefined && candidate.accuracy > chosen.accuracy - BEHIND);
  const { train, test } = holdout(y, 1 - Math.min(0.2, LEFT_OUT / X.samples), run.seed);
  const known = Array.from(train, (i) => y[i]);
  const truth = test.map((i) => codes[i]);
  let best: (Decided & { right: number }) | null = null;
  for (const candidate of [chosen, ...(others as Candidate[])]) {
    const trained = await trainCandidate(X.take(train), known, candidate, run);
    const shares = sharesOf(trained, X.take(test), names);
    const right = trained.predict(X.take(test)).filter((label, i) => label === y[test[i]]).length;
    if (best !== null && right <= best.right) continue;
    best = { chosen: candidate, calibration: fitCalibration(shares, truth, names.length), right };
  }
  return best!;
}

function bestOf(tried: readonly Candidate[], wanted: Candidate["scheme"]): Candidate | undefined {
  const own = tried.filter(({ scheme }) => scheme === wanted);
  return own.sort((a, b) => b.folds - a.folds || b.accuracy - a.accuracy)[0];
}

/** n × classes: a class that the classifier has not seen has no share. */
function sharesOf<L extends Label>(trained: Classifier<L>, X: Matrix, names: readonly L[]): Float64Array {
  const places = trained.classes.map((name) => names.indexOf(name));
  const P = trained.probabilities(X);
  const shares = new Float64Array(X.samples * names.length);
  for (let i = 0; i < X.samples; i++) {
    const row = P.row(i);
    for (let c = 0; c < places.length; c++) shares[i * names.length + places[c]] = row[c];
  }
  return shares;
}
