import {
  type Calibration,
  type Classifier,
  type ClassReport,
  type Confusion,
  type Dense,
  type Explanation,
  type Label,
  type Matrix,
  type RocAuc,
  rocCurve,
  type TextList,
} from "bonmf";
import { findDistinctive } from "./clusters.js";
import { measureEffects } from "./effects.js";
import type { Form, Pictures, Preview, Size } from "./findings.js";
import { findPassage } from "./passage.js";
import { fitSize, surveyPixels, toGreys } from "./picture.js";
import { drawPrototype, pickWords, restorePrototypes, VALUES, WORDS } from "./previews.js";
import type { ReportData } from "./report-data.js";
import { makeNamer } from "./sample-names.js";
import type {
  Curve,
  Ground,
  Mistake,
  Reason,
  TestConfusion,
  TestFindings,
  TestMeasures,
  Tried,
} from "./test-findings.js";

/** Samples, and how they came to be numbers. */
export interface TestSamples extends Pick<ReportData, "X" | "labels" | "ids" | "dropped" | "countedAs"> {
  /** n documents, where samples are texts. */
  readonly texts?: TextList | null | undefined;
}

/** The test of a classifier. */
export interface TestData {
  readonly classifier: Classifier;
  readonly training: TestSamples;
  /** What was tested, or part of it. */
  readonly samples: TestSamples;
  /** Answers to rows of the samples. `neighbor` counts rows of the training samples. */
  readonly answers: {
    readonly rows: readonly number[];
    readonly truth: readonly Label[];
    readonly predictions: readonly Answer[];
    readonly classes: readonly Label[];
    readonly probabilities: Dense;
  };
  readonly report: ClassReport;
  readonly confusion: Confusion;
  readonly interval: TestMeasures["interval"];
  readonly logLoss: number;
  readonly brier: number;
  readonly auc: RocAuc;
  readonly calibration: Calibration;
  readonly answered: TestMeasures["answered"];
  readonly chance: TestMeasures["chance"];
  readonly unknown: readonly { readonly label: Label; readonly count: number }[];
  readonly tried: readonly Tried[];
  /** m names; by default the model's. */
  readonly features?: readonly string[] | null | undefined;
  readonly recipe?: ReportData["recipe"];
  readonly source?: string | null | undefined;
  readonly command?: string | null | undefined;
  /** In words: how the classifier decides, and what it was tested on. */
  readonly words: { readonly classifier: string; readonly tested: string };
}

interface Answer {
  readonly label?: Label | null;
  readonly evidence?: readonly Reason[] | null;
  readonly neighbor?: { readonly index: number } | null;
}

/** A matrix of more classes, more mistakes, more answers than these are not shown or looked at. */
const CLASSES = 30;
const CONFUSED = 20;
const MISTAKES: Readonly<Record<Form, number>> = { picture: 24, text: 12, table: 12 };
const CURVES = 6;
/** Points of a curve that are closer than this are drawn as one. */
const STEP = 0.005;
const LOOKED_AT = 1000;
const GROUNDS = 30;
const REASONS = 6;
/** Bytes of pixels, so that a page stays small. */
const BUDGET = { samples: 300_000, prototypes: 150_000 };

/** Finds what a page about a test shows. @throws the signal's reason when it aborts */
export async function collectTest(data: TestData, signal?: AbortSignal): Promise<TestFindings> {
  const { answers, report, auc, classifier, source = null } = data;
  const shown = makeShown(data);
  const areas = new Map(auc.classes.map((one) => [one.label, one.auc]));
  return {
    kind: "test",
    source,
    form: shown.form,
    classifier: data.words.classifier,
    tested: data.words.tested,
    samples: answers.rows.length,
    measures: listMeasures(data),
    classes: report.classes.map(({ label, support, precision, recall, f1 }) => ({
      label: String(label),
      samples: support,
      precision,
      recall,
      f1,
      auc: areas.get(label) ?? null,
    })),
    confusion: cutConfusion(data.confusion),
    confused: listConfused(data.confusion),
    bins: data.calibration.bins,
    curves: drawCurves(data),
    tried: data.tried,
    pictures: shown.pictures,
    mistakes: shown.mistakes.map((i) => showMistake(data, shown, i)),
    grounds: await findGrounds(data, shown, signal),
    repeat: { version: classifier.model.version, command: data.command ?? null },
  };
}

function listMeasures({ report, auc, calibration, unknown, ...rest }: TestData): TestMeasures {
  return {
    accuracy: report.accuracy,
    interval: rest.interval,
    baseline: { label: String(report.majority.label), share: report.majority.share },
    balanced: report.balanced,
    chance: rest.chance,
    f1: report.macro.f1,
    auc: auc.macro,
    logLoss: rest.logLoss,
    brier: rest.brier,
    calibration: calibration.error,
    answered: rest.answered,
    unknown: unknown.map(({ label, count }) => ({ label: String(label), count })),
  };
}

/** The curves of the classes that are told apart worst, thinned. */
function drawCurves({ answers: { truth, probabilities, classes }, auc }: TestData): Curve[] {
  const ranked = auc.classes.flatMap(({ label, auc: area }) => (area === null ? [] : [{ label, area }]));
  const shown = classes.length === 2 ? ranked.slice(-1) : ranked.sort((a, b) => a.area - b.area).slice(0, CURVES);
  return shown.map(({ label, area }) => {
    const points = rocCurve(truth, probabilities, classes, label) ?? [];
    const thin: [number, number][] = [];
    points.forEach(({ falsePositives: x, truePositives: y }, p) => {
      const [left, low] = thin.at(-1) ?? [-1, -1];
      if (p === 0 || p === points.length - 1 || x - left + y - low >= STEP) thin.push([x, y]);
    });
    return { label: String(label), auc: area, points: thin };
  });
}

function cutConfusion({ classes, counts, refused }: Confusion): TestConfusion | null {
  return classes.length > CLASSES ? null : { classes: classes.map(String), counts, refused };
}

function listConfused({ classes, counts }: Confusion): TestFindings["confused"] {
  return counts
    .flatMap((row, t) => row.map((count, p) => ({ count, t, p })))
    .filter(({ count, t, p }) => count > 0 && t !== p)
    .sort((a, b) => b.count - a.count || a.t - b.t || a.p - b.p)
    .slice(0, CONFUSED)
    .map(({ count, t, p }) => ({ truth: String(classes[t]), given: String(classes[p]), count }));
}

/** How samples are shown to people. */
interface Shown {
  readonly form: Form;
  readonly image: Size | null;
  readonly pictures: Pictures | null;
  /** Places among the answers: those that are wrong, most confident first. */
  readonly mistakes: readonly number[];
  show(samples: TestSamples, i: number, features: readonly number[], marked: readonly string[]): Preview;
}

function makeShown(data: TestData): Shown {
  const { classifier, recipe, samples } = data;
  const { model } = classifier;
  const { scaler } = model;
  const { X } = samples;
  const image = recipe?.image && recipe.image.width * recipe.image.height === X.features ? recipe.image : null;
  const isText = recipe?.text || recipe?.kind === "text" || scaler.name === "tfidf";
  const form: Form = image ? "picture" : isText ? "text" : "table";
  const mistakes = rankMistakes(data).slice(0, MISTAKES[form]);
  const names = data.features ?? model.featureNames;
  const own = names ?? Array.from({ length: X.features }, (_, f) => `#${f + 1}`);
  const words = scaler.featureNames(own);
  const rows = mistakes.map((i) => data.answers.rows[i]);
  const { top, bottom, ink } = image ? surveyPixels(X, rows) : { top: 0, bottom: 0, ink: false };
  const light = recipe?.kind !== undefined && ["images", "npy", "npz"].includes(recipe.kind);
  const thumb = image && fitSize(image, 2 * Math.max(1, mistakes.length), BUDGET.samples);
  const large = image && fitSize(image, Math.min(GROUNDS, classifier.classes.length), BUDGET.prototypes);
  const pictures = large && thumb && { ...large, thumb, dot: thumb, ink: ink && !light };
  return {
    form,
    image,
    pictures,
    mistakes,
    show(from, i, features, marked) {
      const weighty = form === "text" ? pickWords(model.prepare(from.X.take([i])), 0, WORDS).map((f) => words[f]) : [];
      return {
        pixels: thumb && image && toGreys(from.X.row(i), image, thumb, top, bottom),
        words: weighty,
        passage:
          form === "text" && from.texts
            ? findPassage(from.texts.at(i)!, [...weighty, ...marked], { countedAs: from.countedAs })
            : [],
        values: form === "table" ? features.map((f) => ({ name: own[f], value: from.X.at(i, f) })) : [],
      };
    },
  };
}

/** Wrong answers by probability, then by how little the true class got. */
function rankMistakes({ answers }: TestData): number[] {
  const { truth, predictions } = answers;
  const wrong = truth.flatMap((label, i) => {
    const given = predictions[i].label ?? null;
    return given === null || given === label
      ? []
      : [{ i, own: share(answers, i, given), truth: share(answers, i, label) }];
  });
  return wrong.sort((a, b) => b.own - a.own || a.truth - b.truth || a.i - b.i).map(({ i }) => i);
}

function share({ classes, probabilities }: TestData["answers"], i: number, label: Label): number {
  const place = classes.indexOf(label);
  return place < 0 ? 0 : probabilities.row(i)[place];
}

function showMistake(data: TestData, shown: Shown, i: number): Mistake {
  const { answers, samples, training } = data;
  const { label, evidence, neighbor } = answers.predictions[i];
  const [truth, given] = [answers.truth[i], label as Label];
  const reasons = (evidence ?? []).slice(0, REASONS).map(({ name, amount }) => ({ name, amount }));
  const features = shown.form === "table" ? findContrast(data, truth, given) : [];
  const words = reasons.map(({ name }) => name);
  const preview = (from: TestSamples, row: number) => shown.show(from, row, features, words);
  return {
    id: makeNamer(samples)(answers.rows[i]),
    truth: String(truth),
    given: String(given),
    probability: share(answers, i, given),
    truthProbability: share(answers, i, truth),
    preview: preview(samples, answers.rows[i]),
    reasons: shown.form === "picture" ? [] : reasons,
    neighbor: neighbor ? { id: makeNamer(training)(neighbor.index), preview: preview(training, neighbor.index) } : null,
  };
}

/** The features in which the training samples of two classes differ most, in standard deviations. */
function findContrast({ training: { X, labels } }: TestData, one: Label, other: Label): number[] {
  const sums = [new Float64Array(X.features), new Float64Array(X.features)];
  const squares = new Float64Array(X.features);
  const sizes = [0, 0];
  labels?.forEach((label, i) => {
    const side = label === one ? 0 : label === other ? 1 : -1;
    if (side < 0) return;
    sizes[side]++;
    X.each(i, (f, value) => {
      sums[side][f] += value;
      squares[f] += value * value;
    });
  });
  const total = sizes[0] + sizes[1];
  const contrast = Float64Array.from(squares, (square, f) => {
    const mean = (sums[0][f] + sums[1][f]) / total;
    const spread = Math.sqrt(Math.max(0, square / total - mean * mean));
    const gap = sums[0][f] / Math.max(1, sizes[0]) - sums[1][f] / Math.max(1, sizes[1]);
    return spread > 0 ? Math.abs(gap) / spread : 0;
  });
  const order = Array.from(contrast, (_, f) => f).sort((a, b) => contrast[b] - contrast[a] || a - b);
  return order.slice(0, VALUES);
}

/** What the answers of each class go by, on some of the samples. */
async function findGrounds(data: TestData, { form, image, pictures }: Shown, signal?: AbortSignal): Promise<Ground[]> {
  const { classifier, samples } = data;
  const { model, classes } = classifier;
  const count = Math.min(LOOKED_AT, samples.X.samples);
  const step = samples.X.samples / count;
  const all = samples.X.take(Array.from({ length: count }, (_, i) => Math.floor(i * step)));
  const found = classifier.explain(all);
  const answered = found.flatMap(({ label }, i) => (label === null ? [] : [i]));
  if (answered.length === 0) return [];
  const answers = answered.map((i) => found[i]);
  const codes = Uint32Array.from(answers, ({ label }) => classes.indexOf(label as Label));
  const reasons = form === "picture" ? null : await findReasons(data, form, all.take(answered), answers, codes, signal);
  const prototypes = pictures && restorePrototypes(model);
  return classes.slice(0, GROUNDS).flatMap((label, c) => {
    const own = answers.filter((_, i) => codes[i] === c);
    if (own.length === 0) return [];
    const home = findCommonest(own.map(({ cluster }) => cluster));
    const picture = pictures && drawPrototype(prototypes!.row(home), image!, pictures);
    return [{ label: String(label), answers: own.length, reasons: reasons?.(c, own, home) ?? [], picture }];
  });
}

/** What the scheme says itself; else how the samples of an answer differ, or the words of their cluster. */
async function findReasons(
  { classifier: { model, classes }, features }: TestData,
  form: Form,
  X: Matrix,
  answers: readonly Explanation[],
  codes: Uint32Array,
  signal?: AbortSignal,
): Promise<(c: number, own: readonly Explanation[], home: number) => Reason[]> {
  const names = features ?? model.featureNames;
  if (answers.some(({ evidence }) => evidence !== null)) return (_, own) => averageEvidence(own);
  if (form === "table") {
    const effects = await measureEffects(X, codes, classes.length, REASONS, names, null, signal);
    return (c) => effects[c].flatMap(({ name, effect }) => (effect ? [{ name, amount: effect.d }] : []));
  }
  const words = findDistinctive(model, REASONS, names);
  return (_c, _own, home) => words[home].map(({ name, value, mean }) => ({ name, amount: value - mean }));
}

function findCommonest(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0][0];
}

/** Mean amounts over answers; a feature that an answer does not name among its strongest counts as 0 there. */
function averageEvidence(answers: readonly Explanation[]): Reason[] {
  const sums = new Map<string, number>();
  for (const { evidence } of answers) {
    for (const { name, amount } of evidence ?? []) sums.set(name, (sums.get(name) ?? 0) + amount);
  }
  return [...sums]
    .map(([name, sum]) => ({ name, amount: sum / answers.length }))
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
    .slice(0, REASONS);
}
