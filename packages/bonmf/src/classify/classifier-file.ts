/** The classifier file: a model file with the state of the scheme. docs/model-file.md describes every field. */
import { BonmfError, FormatError, OptionError, quote } from "../errors.js";
import { takesSigned } from "../factor/methods/index.js";
import { allocateLabels } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { compareLabels, type Label } from "../measure/labels.js";
import type { Model } from "../model/model.js";
import { packModel, unpackModel } from "../model/model-file.js";
import { encodeTensors, type Tensor } from "../model/safetensors.js";
import {
  AMOUNT,
  asFields,
  COUNT,
  checkShape,
  FINITE,
  type Fields,
  findTensor,
  POSITIVE,
  parseFields,
  type Range,
  readFloats,
  readNumber,
  readOne,
  type Tensors,
  UNSIGNED,
  under,
  viewTensor,
  whole,
  within,
} from "../model/stored-fields.js";
import { METRICS, VOTE_RULES } from "./ballot.js";
import type { CalibrationMap } from "./calibration.js";
import { Classifier, type ClassifierOptions, type Resolved, resolve } from "./classifier.js";
import type { SchemeState } from "./decision.js";
import { type LinearState, scoreCount } from "./logistic.js";
import { isLinear, KEEPS, restoreScheme, SCHEMES, type SchemeName } from "./scheme.js";

const PLACE = "classifier";
const SHARE: Range = {
  words: "a number from 0 to 1",
  holds: (value) => typeof value === "number" && value >= 0 && value <= 1,
};
const LIMIT: Range = { ...AMOUNT, words: `null or ${AMOUNT.words}` };

/**
 * Writes a classifier as the bytes of one safetensors file: its model, which `loadModel` can read, and the state of its
 * scheme. That is a few numbers for each cluster with `majority`; the other schemes keep the labels, and all but
 * `coefficients` the training samples too.
 *
 * @returns the content of the file
 * @throws OptionError when `clf` is no classifier
 *
 * @example
 * ```ts
 * import { classifier, fit, loadClassifier, saveClassifier } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const model = await fit(X, { k: 2, seed: 7 });
 * const clf = await classifier(model, X, ["apple", "apple", "pear", "pear"], { scheme: "majority" });
 * const bytes = saveClassifier(clf);
 * (await loadClassifier(bytes)).predict([[9, 1, 0]]); // → ["apple"]
 * ```
 */
export function saveClassifier(clf: Classifier): Uint8Array {
  if (!(clf instanceof Classifier)) {
    const advice = "save a model by saveModel, or build a classifier from it first";
    throw new OptionError("clf", clf, `a classifier is needed, not ${quote(clf)}: ${advice}`);
  }
  const { model, scheme, neighbors, probes, metric, votes, penalty, sharpness, classWeights, classes } = clf;
  const { tensors, metadata } = packModel(model);
  for (const [name, tensor] of Object.entries(writeState(clf.state(), classes.length))) {
    tensors[`${PLACE}.${name}`] = tensor;
  }
  const { probability } = clf.reject;
  const reject = {
    margin: writeLimit(clf.reject.margin),
    angle: writeLimit(clf.reject.angle),
    ...(probability !== undefined && { probability }),
  };
  const more = {
    ...(isLinear(scheme) && { penalty, sharpness }),
    ...((isLinear(scheme) || classWeights) && { classWeights }),
    ...(metric !== "angle" && { metric }),
    ...(votes !== "equal" && { votes }),
    ...(clf.calibration && { calibration: clf.calibration }),
  };
  const fields = JSON.stringify({ scheme, neighbors, probes, reject, ...more });
  return encodeTensors(tensors, { ...metadata, [PLACE]: fields, classes: writeClasses(classes) });
}

function writeState({ counts, Z, y, linear }: SchemeState, classes: number): Record<string, Tensor> {
  const tensors: Record<string, Tensor> = Object.create(null);
  if (counts) tensors.counts = { shape: [counts.length / classes, classes], data: counts };
  if (y) {
    const data = allocateLabels(y.length, classes);
    data.set(y);
    tensors.y = { shape: [y.length], data };
  }
  if (linear) {
    const { W, bias, codes } = linear;
    tensors.coefficients = { shape: [bias.length, W.length / bias.length], data: W };
    tensors.intercepts = { shape: [bias.length], data: bias };
    if (codes) tensors.codes = { shape: [2], data: Float64Array.of(codes.gamma, codes.unit) };
  }
  if (Z?.kind === "dense") tensors.Z = { shape: [Z.samples, Z.features], data: Z.data };
  if (Z?.kind === "sparse") {
    for (const part of ["offsets", "indices", "values"] as const) {
      tensors[`Z.${part}`] = { shape: [Z[part].length], data: Z[part] };
    }
  }
  return tensors;
}

/** JSON has no infinity; the largest number has the same effect as a limit. */
function writeLimit(limit: number | undefined): number | null {
  return limit === undefined ? null : Math.min(limit, Number.MAX_VALUE);
}

/** `JSON.stringify` writes infinite numbers as null; JSON can express them as 1e999. */
function writeClasses(classes: readonly Label[]): string {
  const texts = classes.map((label) => {
    if (label === Number.POSITIVE_INFINITY) return "1e999";
    return label === Number.NEGATIVE_INFINITY ? "-1e999" : JSON.stringify(label);
  });
  return `[${texts.join(",")}]`;
}

/**
 * Reads the bytes of a classifier file. The classifier gives the same answers, to the bit, as the one that was saved. It
 * does not refer to `bytes` afterwards.
 *
 * @param name the file's name, which begins every error message
 * @param change options that replace the saved ones; another scheme needs the training samples, which not every file has
 * @throws FormatError that names the bad field; OptionError for a scheme that the file cannot serve; BonmfError with code
 * "no-classifier" for a model without a classifier
 *
 * @example
 * ```ts
 * import { auto, loadClassifier, loadModel, saveClassifier } from "bonmf";
 * const X = Array.from({ length: 40 }, (_, i) => (i % 2 ? [5, 1 + (i % 3)] : [1 + (i % 3), 5]));
 * const y = X.map((_, i) => (i % 2 ? "right" : "left"));
 * const { classifier } = await auto(X, y, { seed: 1 });
 * const bytes = saveClassifier(classifier);
 * const again = await loadClassifier(bytes, "sides.safetensors");
 * again.explain([[6, 1]])[0].cosine === classifier.explain([[6, 1]])[0].cosine; // → true
 * loadModel(bytes).k === classifier.model.k; // → true
 * ```
 */
export async function loadClassifier(
  bytes: Uint8Array,
  name = "classifier",
  change: ClassifierOptions = {},
): Promise<Classifier> {
  const { model, tensors, metadata } = unpackModel(bytes, name);
  if (metadata[PLACE] === undefined) {
    const advice = "read it by loadModel, then build one by classifier";
    throw new BonmfError("no-classifier", `${name}: this is a model without a classifier: ${advice}`);
  }
  const { stored, calibration, classes, state } = within(name, () => {
    const fields = parseFields(metadata, PLACE);
    const stored = readOptions(fields);
    const classes = readClasses(metadata.classes);
    return {
      stored,
      calibration: readCalibration(fields),
      classes,
      state: readState(under(tensors, `${PLACE}.`), model, classes.length, stored),
    };
  });
  const given = dropUndefined(change);
  const options = resolve({ ...stored, ...given, reject: { ...stored.reject, ...dropUndefined(change.reject ?? {}) } });
  checkTrained(stored, options);
  if (options.scheme === "prototypes" && stored.scheme !== "prototypes") {
    const message = `scheme "prototypes" has prototypes of its own: train it in place of "${stored.scheme}"`;
    throw new OptionError("scheme", options.scheme, message);
  }
  const scheme = await restoreScheme(model, state, classes.length, options).catch((error: unknown) => {
    if (options.scheme !== stored.scheme) throw error;
    return within(name, () => {
      throw error;
    });
  });
  const measured = (["scheme", "neighbors", "probes", "metric", "votes", "classWeights"] as const).every(
    (name) => options[name] === stored[name],
  );
  return new Classifier(model, classes, options, scheme, measured ? calibration : null);
}

function dropUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** What coefficients were trained with cannot be changed afterwards. */
function checkTrained(stored: Resolved, options: Resolved): void {
  if (!isLinear(stored.scheme) || options.scheme !== stored.scheme) return;
  for (const name of ["penalty", "sharpness", "classWeights"] as const) {
    if (options[name] === stored[name]) continue;
    const message = `the classifier was trained with ${name} ${quote(stored[name])}: train it again for ${quote(options[name])}`;
    throw new OptionError(name, options[name], message);
  }
}

function readCalibration(fields: Fields): CalibrationMap | null {
  if (fields.calibration === undefined) return null;
  return within(`${PLACE}.calibration`, () => {
    const stored = asFields("calibration", fields.calibration);
    return { floor: readNumber(stored, "floor", POSITIVE), power: readNumber(stored, "power", POSITIVE) };
  });
}

function readOptions(fields: Fields): Resolved {
  return within(PLACE, () => {
    const limits = asFields("reject", fields.reject);
    return {
      scheme: readOne(fields, "scheme", SCHEMES),
      neighbors: readNumber(fields, "neighbors", whole(1)),
      probes: fields.probes === "exact" ? "exact" : readNumber(fields, "probes", whole(1)),
      metric: fields.metric === undefined ? "angle" : readOne(fields, "metric", METRICS),
      votes: fields.votes === undefined ? "equal" : readOne(fields, "votes", VOTE_RULES),
      penalty: fields.penalty === undefined ? 1 : readNumber(fields, "penalty", POSITIVE),
      sharpness: fields.sharpness === undefined ? 2 : readNumber(fields, "sharpness", POSITIVE),
      classWeights: fields.classWeights === "balanced" ? "balanced" : null,
      reject: {
        margin: limits.margin === null ? undefined : readNumber(limits, "margin", LIMIT),
        angle: limits.angle === null ? undefined : readNumber(limits, "angle", LIMIT),
        probability: limits.probability === undefined ? undefined : readNumber(limits, "probability", SHARE),
      },
    };
  });
}

function readClasses(text: string | undefined): Label[] {
  let classes: unknown;
  try {
    classes = JSON.parse(text ?? "");
  } catch (cause) {
    throw new FormatError(`the metadata field "classes" is ${text === undefined ? "missing" : "not JSON"}`, { cause });
  }
  if (!Array.isArray(classes) || classes.length === 0) {
    throw new FormatError(`classes must be an array of at least one, not ${quote(classes)}`);
  }
  classes.forEach((label: unknown, c) => {
    if (typeof label !== "string" && typeof label !== "number") {
      throw new FormatError(`class ${c} is ${quote(label)}: it must be a string or a number`);
    }
    if (c > 0 && !(compareLabels(classes[c - 1], label) < 0)) {
      throw new FormatError(`class ${quote(label)} follows ${quote(classes[c - 1])}: classes must rise`);
    }
  });
  return classes;
}

function readState(tensors: Tensors, model: Model, classes: number, { scheme }: Resolved): SchemeState {
  return within(PLACE, () => {
    const keeps = KEEPS[scheme];
    if (keeps.includes("counts")) return { counts: readCounts(tensors, model.k, classes) };
    if (keeps.includes("linear")) return { linear: readLinear(tensors, model, classes, scheme) };
    const y = readClassNumbers(tensors, classes);
    if (keeps.includes("Z")) return { y, Z: readSamples(tensors, y.length, model) };
    // The training samples are those of the model: their codes are in the file.
    checkShape("y", [y.length], [model.labels.length]);
    return { y };
  });
}

function readCounts(tensors: Tensors, k: number, classes: number): Float64Array {
  const counts = readFloats(tensors, "counts", [k, classes], COUNT);
  if (counts.every((count) => count === 0))
    throw new FormatError('tensor "counts" counts no sample: all entries are 0');
  return counts;
}

function readLinear(tensors: Tensors, { k, W: { features } }: Model, classes: number, scheme: SchemeName): LinearState {
  const r = scoreCount(classes);
  const coded = scheme === "linear+codes";
  const W = readFloats(tensors, "coefficients", [r, features + (coded ? k : 0)], FINITE);
  const bias = readFloats(tensors, "intercepts", [r], FINITE);
  if (!coded) return { W, bias, codes: null };
  const [gamma, unit] = readFloats(tensors, "codes", [2], POSITIVE);
  return { W, bias, codes: { gamma, unit } };
}

function readClassNumbers(tensors: Tensors, classes: number): Uint32Array {
  const { length } = findTensor(tensors, "y").data;
  const data = viewTensor(tensors, "y", UNSIGNED, [length], whole(0, classes - 1));
  if (length === 0) throw new FormatError('tensor "y" is empty: at least one training sample is needed');
  return Uint32Array.from(data);
}

/** Views of the file's bytes: schemes copy what they keep. */
function readSamples(tensors: Tensors, samples: number, { W: { features }, method, settings }: Model): Matrix {
  const range = takesSigned(method, settings.update) ? FINITE : AMOUNT;
  const values = (name: string, shape: number[]) => viewTensor(tensors, name, ["F32", "F64"], shape, range);
  if (tensors.has("Z")) return new Dense(samples, features, values("Z", [samples, features]));
  const offsets = viewTensor(tensors, "Z.offsets", ["U32"], [samples + 1]);
  const stored = offsets[samples];
  const indices = viewTensor(tensors, "Z.indices", ["U32"], [stored]);
  return within("Z", () => new Sparse(samples, features, offsets, indices, values("Z.values", [stored])));
}
