import type { Candidate, Classifier, Label } from "bonmf";
import type { Style, Terminal } from "../command.js";
import type { Loaded } from "../input/input.js";
import { escapeControls } from "../show/escape.js";
import { clip, count, duration, percent, plural, table, widthOf } from "../show/text.js";
import type { Chance } from "./balance.js";
import type { Evaluation, TestOptions } from "./evaluation.js";
import type { TestSet } from "./test-set.js";
import type { Training } from "./train.js";

export interface ClassifyResult {
  readonly loaded: Loaded;
  readonly test: TestOptions;
  readonly evaluation: Evaluation;
  /** The classifier that was written, else the last one tested, that of `evaluation`. */
  readonly training: Training;
  /** Classes of the test file that training did not see. */
  readonly unknown: TestSet["unknown"];
  readonly seconds: { readonly read: number; readonly test: number; readonly train: number; readonly write: number };
  readonly out: string | null;
  readonly predictions: string | null;
  readonly report: string | null;
}

/** What `bonmf classify --json` prints: a contract, described in docs/cli.md. */
export function reportTestJson(result: ClassifyResult) {
  const { loaded, test, evaluation, training, unknown, seconds, out } = result;
  const { report, confusion, accuracies } = evaluation;
  const { chosen, tried, measure } = evaluation.training;
  return {
    samples: loaded.data.X.samples,
    features: loaded.data.X.features,
    seed: test.seed,
    split: test.split,
    folds: test.folds,
    test: test.file,
    trained: evaluation.trained,
    tested: evaluation.tested,
    accuracy: report.accuracy,
    interval: evaluation.interval,
    deviation: deviate(accuracies),
    balanced: report.balanced,
    logLoss: evaluation.logLoss,
    brier: evaluation.brier,
    auc: evaluation.auc,
    calibration: evaluation.calibration,
    answered: evaluation.answered,
    unknown,
    baseline: { label: report.majority.label, accuracy: report.majority.share },
    macro: report.macro,
    weighted: report.weighted,
    classes: report.classes,
    confusion,
    classifier: toJson(evaluation.training.classifier),
    written: out === null ? null : toJson(training.classifier),
    chosen,
    tried,
    chosenBy: measure,
    seconds,
    model: out,
    predictions: result.predictions,
    report: result.report,
  };
}

function toJson({ scheme, neighbors, probes, metric, votes, penalty, ...rest }: Classifier) {
  const { classWeights, calibration, reject, model } = rest;
  const voted =
    scheme === "vote"
      ? { neighbors, probes, metric, votes }
      : { neighbors: null, probes: null, metric: null, votes: null };
  return {
    scheme,
    ...voted,
    penalty: scheme.startsWith("linear") ? penalty : null,
    classWeights,
    calibrated: calibration !== null,
    reject: { margin: reject.margin ?? null, angle: reject.angle ?? null, probability: reject.probability ?? null },
    method: model.method,
    k: model.k,
    scale: model.scaler.name,
  };
}

/** The standard deviation over the parts; null where there is one. */
function deviate(shares: readonly number[]): number | null {
  if (shares.length < 2) return null;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1));
}

/** The same for people. */
export function reportTest(result: ClassifyResult, { style, width }: Terminal): string {
  const { loaded, test, evaluation, training, seconds, out } = result;
  const { data, source } = loaded;
  const { chosen, tried, measure } = evaluation.training;
  const how = measure === "balanced" ? "cross-validated balanced accuracy" : "cross-validation";
  const tested = describeTested(evaluation);
  const kept = describeClassifier(training.classifier);
  const shape = `${plural(data.X.samples, "sample")} × ${plural(data.X.features, "feature")}`;
  const lines = [
    `${style.bold(escapeControls(source))}  ${shape}, ${count(new Set(data.labels).size)} classes (${data.kind}), read in ${duration(seconds.read)}`,
    `${style.bold(tested)}${chosen ? `  the best of ${tried.length} by ${how}` : ""}`,
    `${escapeControls(describeTest(test, evaluation))}, in ${duration(seconds.test)}`,
    "",
    ...describeMeasures(evaluation, style),
    ...describeUnknown(result),
    "",
    tabulateClasses(evaluation, style),
    "",
    drawConfusion(evaluation, style, width),
  ];
  const written = [
    { what: "trained on all and written to", path: out },
    { what: "answers written to", path: result.predictions },
    { what: "report written to", path: result.report },
  ].flatMap(({ what, path }) => (path === null ? [] : [`${what} ${style.accent(escapeControls(path))}`]));
  if (written.length > 0) lines.push("", ...written);
  if (out !== null && kept !== tested) lines.push(`chosen on all, and written: ${kept}`);
  return lines.join("\n");
}

/** "trained on 460, tested on 116 others". */
export function describeTest(test: TestOptions, { trained, tested }: Evaluation): string {
  if (test.folds !== null) return `tested on each of ${test.folds} parts, trained on the others`;
  const which = test.file !== null ? `of ${test.file}` : tested === 1 ? "other" : "others";
  return `trained on ${count(trained)}, tested on ${count(tested)} ${which}`;
}

function describeMeasures(evaluation: Evaluation, style: Style): string[] {
  const { report, interval, accuracies, auc, calibration, answered, chance } = evaluation;
  const deviation = deviate(accuracies);
  const spread = deviation === null ? "" : ` ± ${percent(deviation, 2)} from part to part`;
  const raw = evaluation.training.classifier.calibration ? "" : " (probabilities are shares, not calibrated)";
  const lines = [
    `${style.bold(`accuracy ${percent(report.accuracy, 2)}`)}  95 % interval ${percent(interval.low)} to ` +
      `${percent(interval.high)}${spread}   baseline ${percent(report.majority.share, 2)} (always ${show(report.majority.label)})`,
    `balanced accuracy ${percent(report.balanced, 2)}   mean F1 ${percent(report.macro.f1, 2)}   ` +
      `AUC ${auc.macro === null ? "–" : auc.macro.toFixed(4)}`,
    `log loss ${evaluation.logLoss.toFixed(4)}   Brier score ${evaluation.brier.toFixed(4)}   ` +
      `calibration error ${calibration.error.toFixed(4)}${raw}`,
  ];
  if (chance) lines.push(...describeChance(chance, style));
  else if (interval.low <= report.majority.share) {
    const isMissed = evaluation.training.chosen !== null && report.majority.share >= COMMON;
    const hint = isMissed ? "; --class-weights balanced looks for rarer classes too" : "";
    lines.push(`by accuracy it may be no better than always answering ${show(report.majority.label)}${hint}`);
  }
  if (answered) {
    const accuracy = answered.accuracy === null ? "" : `, ${percent(answered.accuracy, 2)} of those right`;
    lines.push(`answered ${percent(answered.share, 2)}${accuracy}; refused answers count as wrong above`);
  }
  return lines;
}

/** Where so many samples are of one class, others may never be answered. */
const COMMON = 0.75;

/** What it means that every class counts alike. */
function describeChance({ share, isBeaten }: Chance, style: Style): string[] {
  const little = isBeaten ? "" : "; it may be no better than that";
  return [
    `${style.bold("every class counts alike")}: always answering one class has a balanced accuracy of ${percent(share, 2)}${little}`,
    "probabilities are those of equally common classes; their three errors above count every sample",
  ];
}

/** Classes that training did not see cannot be answered. */
function describeUnknown({ unknown }: ClassifyResult): string[] {
  if (unknown.length === 0) return [];
  const names = unknown.slice(0, MOST_NAMES).map(({ label, count: n }) => `${show(label)} (${count(n)})`);
  const more = unknown.length > MOST_NAMES ? ` and ${count(unknown.length - MOST_NAMES)} more` : "";
  return [`not among the training classes, so counted as wrong: ${names.join(", ")}${more}`];
}

const MOST_NAMES = 8;

/** The classifier that was tested; of several parts each may have chosen another. */
export function describeTested({ trainings }: Evaluation): string {
  const names = trainings.map(({ classifier }) => describeClassifier(classifier));
  const kinds = [...new Set(names)];
  if (kinds.length === 1) return kinds[0];
  return kinds.map((kind) => `${kind} (${plural(names.filter((name) => name === kind).length, "part")})`).join("; ");
}

/** "vote of 9, bonmf, k = 12, scale split". */
export function describeClassifier(classifier: Classifier): string {
  const { scheme, probes, penalty, classWeights, model } = classifier;
  const vote = `${describeVote(classifier)}${probes === "exact" ? "" : ` in ${plural(probes, "cluster")}`}`;
  const linear = `${scheme}, penalty ${penalty}`;
  const how = scheme === "vote" ? vote : scheme.startsWith("linear") ? linear : scheme;
  // The clusters have no say in what is linear in the features.
  const clusters = scheme === "linear" ? [] : [model.method, `k = ${model.k}`];
  const weights = classWeights === null ? [] : ["classes count alike"];
  return [how, ...clusters, `scale ${model.scaler.name}`, ...weights].join(", ");
}

const NEAR = {
  angle: "",
  distance: " by distance",
  within: " by distance, after evening out the scatter within classes",
  relevant: " by distance, each feature by its relevance",
};

/** "vote of 9 by distance, closer ones count more". */
export function describeVote({ neighbors, metric, votes }: Pick<Candidate, "neighbors" | "metric" | "votes">): string {
  return `vote of ${neighbors}${NEAR[metric ?? "angle"]}${votes === "closer" ? ", closer ones count more" : ""}`;
}

function tabulateClasses({ report }: Evaluation, style: Style): string {
  const columns = ["precision", "recall", "f1", "samples"].map((title) => ({ title, right: true }));
  const line = (
    name: string,
    { precision, recall, f1 }: { precision: number; recall: number; f1: number },
    n: number,
  ) => [name, ...[precision, recall, f1].map((share) => percent(share)), count(n)];
  const total = report.classes.reduce((sum, { support }) => sum + support, 0);
  const rows = report.classes.map((one) => line(show(one.label), one, one.support));
  rows.push(line("mean", report.macro, total), line("weighted mean", report.weighted, total));
  return table([{ title: "class" }, ...columns], rows, style);
}

/** The matrix if it fits the width, else the most frequent mistakes. */
function drawConfusion({ confusion }: Evaluation, style: Style, width: number): string {
  const { classes, counts, refused } = confusion;
  const names = classes.map(show);
  const anyRefused = refused.some((n) => n > 0);
  const columns = [{ title: "class ╲ given" }, ...[...names, ...(anyRefused ? ["none"] : [])].map(right)];
  const rows = counts.map((row, t) => [
    names[t],
    ...row.map((n, p) => (n === 0 ? "·" : p === t ? style.good(count(n)) : style.bad(count(n)))),
    ...(anyRefused ? [refused[t] === 0 ? "·" : count(refused[t])] : []),
  ]);
  const matrix = table(columns, rows, style);
  if (matrix.split("\n").every((line) => widthOf(line) <= width)) return matrix;
  const mistakes = counts
    .flatMap((row, t) => row.map((n, p) => ({ n, t, p })))
    .filter(({ n, t, p }) => n > 0 && t !== p)
    .sort((a, b) => b.n - a.n || a.t - b.t || a.p - b.p);
  const shown = mistakes.slice(0, MOST).map(({ n, t, p }) => [names[t], names[p], count(n)]);
  const more = mistakes.length > MOST ? `\n${style.dim(`… and ${count(mistakes.length - MOST)} other kinds`)}` : "";
  return table([{ title: "class" }, { title: "taken for" }, right("samples")], shown, style) + more;
}

const MOST = 20;

function right(title: string): { title: string; right: true } {
  return { title, right: true };
}

function show(label: Label): string {
  return clip(escapeControls(String(label)), 24);
}
