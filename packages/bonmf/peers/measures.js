// Random answers of classifiers, with ties, rare classes and certain mistakes; scikit-learn measures the same ones.
import {
  accuracyInterval,
  balancedAccuracy,
  brierScore,
  calibration,
  classReport,
  logLoss,
  rocAuc,
  rocCurve,
} from "../dist/bonmf.js";
import { draws } from "./one-hot.js";

const CLOSE = 1e-12;
/** A power of two: NumPy's limits of bins, k × (1 / bins), are exact then, like ours. */
const BINS = 16;

/** @param ask scikit-learn's measures of a list of cases */
export function compareMeasures(ask) {
  const cases = [2, 2, 3, 5, 17].flatMap((classes, seed) => [
    makeCase(classes, 40 * classes, seed, 0),
    makeCase(classes, 60 * classes, seed, 8),
  ]);
  const theirs = ask({ cases, bins: BINS });
  return cases.flatMap((one, i) => {
    const ours = measure(one);
    return Object.entries(theirs[i]).flatMap(([name, value]) => compare(`case ${i}, ${name}`, value, ours[name]));
  });
}

/** @param grid probabilities are multiples of 1 / grid before they are divided by their sum, so many are equal; 0: none */
function makeCase(classes, samples, seed, grid) {
  const next = draws(100 + seed);
  const truth = Array.from({ length: samples }, (_, i) => (i < classes ? i : Math.floor(next() ** 2 * classes)));
  const P = truth.map((label) => {
    const shares = Array.from({ length: classes }, (_, c) => next() ** 3 + (c === label ? 0.4 * next() : 0));
    const rounded = grid === 0 ? shares : shares.map((share) => Math.round(share * grid));
    if (rounded.every((share) => share === 0)) rounded[0] = 1;
    const sum = rounded.reduce((a, b) => a + b);
    return rounded.map((share) => share / sum);
  });
  const predicted = P.map((row) => row.indexOf(Math.max(...row)));
  return { truth, P, predicted, classes: Array.from({ length: classes }, (_, c) => c) };
}

function measure({ truth, P, predicted, classes }) {
  const report = classReport(truth, predicted);
  const auc = rocAuc(truth, P, classes);
  const { bins } = calibration(truth, P, classes, BINS);
  const full = bins.filter(({ count }) => count > 0);
  const right = truth.filter((label, i) => label === predicted[i]).length;
  const { low, high } = accuracyInterval(right, truth.length);
  return {
    accuracy: report.accuracy,
    balanced: balancedAccuracy(truth, predicted),
    f1: [report.macro.f1, report.weighted.f1, ...report.classes.map(({ f1 }) => f1)],
    logLoss: logLoss(truth, P, classes),
    brier: brierScore(truth, P, classes),
    auc: [auc.macro, auc.weighted, ...auc.classes.map((one) => one.auc)],
    roc: classes.flatMap((label) => {
      const curve = rocCurve(truth, P, classes, label);
      return [...curve.map((point) => point.falsePositives), ...curve.map((point) => point.truePositives)];
    }),
    reliability: [...full.map(({ accuracy }) => accuracy), ...full.map(({ confidence }) => confidence)],
    interval: [low, high],
  };
}

function compare(what, theirs, ours) {
  const [a, b] = [theirs, ours].flatMap((value) => [[value].flat()]);
  if (a.length !== b.length) return [`${what}: ${b.length} numbers, not ${a.length}`];
  const error = Math.max(...a.map((value, i) => Math.abs(value - b[i])));
  return error <= CLOSE ? [] : [`${what}: ${error} apart`];
}
