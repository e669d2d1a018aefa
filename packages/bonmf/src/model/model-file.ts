/** The model file: a safetensors file. docs/model-file.md describes every field. */
import { FormatError, OptionError, quote } from "../errors.js";
import type { Moment, Stopped } from "../factor/iterate.js";
import { METHODS, takesSigned } from "../factor/methods/index.js";
import type { Settings } from "../factor/settings.js";
import { allocateLabels, type Form, type Labels } from "../kernel/step.js";
import { restoreScaler, type ScaleName, type Scaler, type State } from "../scale/scaler.js";
import { VERSION } from "../version.js";
import { checkModel, Model } from "./model.js";
import { checkNames, checkTags, DEFAULTS, resolveOptions, type Tags } from "./options.js";
import { decodeTensors, encodeTensors, type Tensor } from "./safetensors.js";
import {
  AMOUNT,
  asFields,
  COUNT,
  checkShape,
  FINITE,
  type Fields,
  findTensor,
  parseFields,
  type Range,
  readFloats,
  readNumber,
  readOne,
  readText,
  type Tensors,
  UNSIGNED,
  under,
  viewTensor,
  whole,
  within,
} from "./stored-fields.js";

const FORMAT = "bonmf";
const FORMAT_VERSION = 1;
/** Each tag is a metadata field of its own, with this prefix: both are strings. */
const TAG = "tag.";

const STOPPED: readonly Stopped[] = ["fixed-point", "tolerance", "cycle", "iterations", "aborted"];

const SETTINGS: Record<keyof Settings, "string" | "number"> = {
  method: "string",
  k: "number",
  seed: "number",
  init: "string",
  maxIterations: "number",
  tolerance: "number",
  restarts: "number",
  emptyClusters: "string",
  update: "string",
  alpha: "number",
  sweeps: "number",
  loss: "string",
  l1W: "number",
  l2W: "number",
  l1H: "number",
  l2H: "number",
  missing: "string",
};

const HISTORY: Record<Exclude<keyof Moment, "iteration">, Range> = {
  potential: FINITE,
  relativeError: AMOUNT,
  changed: COUNT,
  fingerprint: COUNT,
};
const MOMENTS = Object.keys(HISTORY) as (keyof typeof HISTORY)[];

/**
 * Writes a model as the bytes of one safetensors file. `loadModel` reads it, and so do Python and R with a few lines of
 * code. Equal models give equal bytes.
 *
 * @param tags notes to add to those of the model; a tag of the same name is replaced
 * @returns the content of the file
 *
 * @example
 * ```ts
 * import { fit, loadModel, saveModel } from "bonmf";
 * const model = await fit([[5, 0], [4, 1], [0, 3], [1, 4]], { k: 2, seed: 1 });
 * const bytes = saveModel(model);
 * loadModel(bytes).W.data.join() === model.W.data.join(); // → true
 * loadModel(saveModel(model, { author: "me" })).tags.author; // → "me"
 * ```
 */
export function saveModel(model: Model, tags?: Tags): Uint8Array {
  checkModel(model, "saveModel");
  const { tensors, metadata } = packModel(model, tags);
  return encodeTensors(tensors, metadata);
}

/** The content of a model file. */
export function packModel(
  model: Model,
  tags?: Tags,
): { tensors: Record<string, Tensor>; metadata: Record<string, string> } {
  const { fields, tensors } = writeModel(model);
  const metadata: Record<string, string> = Object.assign(Object.create(null), {
    format: FORMAT,
    format_version: String(FORMAT_VERSION),
    library_version: VERSION,
    model: JSON.stringify(fields),
  });
  for (const [name, text] of Object.entries({ ...model.tags, ...checkTags(tags) })) metadata[TAG + name] = text;
  return { tensors, metadata };
}

function writeModel(model: Model): { fields: Fields; tensors: Record<string, Tensor> } {
  const { W, codes, labels, counts, history, scaler, featureNames, settings, stopped, precision, version } = model;
  const { repairs, zeroSamples, normSq, singleError, restart } = model;
  const best = model.best && writeModel(model.best);
  const tensors: Record<string, Tensor> = Object.create(null);
  tensors.W = { shape: [W.samples, W.features], data: W.data };
  tensors.labels = vector(labels);
  if (labels.length === 0) tensors.counts = vector(counts);
  if (codes.form === "real") tensors.H = { shape: [labels.length, codes.k], data: codes.values! };
  if (codes.form === "rays") tensors.values = vector(codes.values!);
  for (const key of MOMENTS) tensors[`history.${key}`] = vector(Float64Array.from(history, (moment) => moment[key]));
  for (const [key, values] of Object.entries(scaler.state())) tensors[`scaler.${key}`] = vector(values);
  if (settings.restarts > 1 && model.potentials.length > 0) {
    tensors.potentials = vector(Float64Array.from(model.potentials));
  }
  for (const [name, tensor] of Object.entries(best?.tensors ?? {})) tensors[`best.${name}`] = tensor;
  const run = { stopped, repairs, zeroSamples, normSq, singleError, restart };
  const input = { scaler: scaler.name, features: scaler.features, featureNames };
  return {
    fields: { version, precision, settings, form: codes.form, ...run, ...input, best: best?.fields ?? null },
    tensors,
  };
}

function vector(data: Float64Array | Labels): Tensor {
  return { shape: [data.length], data };
}

/**
 * Reads the bytes of a model file. The model predicts, transforms and resumes with the same bits as the one that was
 * saved. It does not refer to `bytes` afterwards.
 *
 * @param name the file's name, which begins every error message
 * @throws FormatError that names the bad field; OptionError when `bytes` is no Uint8Array
 *
 * @example
 * ```ts
 * import { fit, loadModel, saveModel } from "bonmf";
 * const bytes = saveModel(await fit([[5, 0], [4, 1], [0, 3], [1, 4]], { k: 2, seed: 1, scale: "l2" }));
 * const model = loadModel(bytes, "two.safetensors");
 * model.scaler.name; // → "l2"
 * const [a, b] = model.predict([[9, 1], [1, 9]]);
 * a === b; // → false
 * ```
 */
export function loadModel(bytes: Uint8Array, name = "model"): Model {
  return unpackModel(bytes, name).model;
}

/** The model of a file, with all of the file's tensors and metadata. */
export function unpackModel(
  bytes: Uint8Array,
  name: string,
): { model: Model; tensors: Tensors; metadata: Readonly<Record<string, string>> } {
  if (!(bytes instanceof Uint8Array)) {
    const advice = "read the file as bytes, and wrap an ArrayBuffer as new Uint8Array(buffer)";
    throw new OptionError("bytes", bytes, `a model is read from a Uint8Array, not ${quote(bytes)}: ${advice}`);
  }
  const { tensors, metadata } = decodeTensors(bytes, name);
  const model = within(name, () => {
    checkFormat(metadata);
    return readModel(parseFields(metadata, "model"), tensors, readTags(metadata));
  });
  return { model, tensors, metadata };
}

function checkFormat({ format, format_version: version, library_version: library }: Record<string, string>): void {
  if (format !== FORMAT) {
    throw new FormatError(
      `this is not a bonmf model: its metadata field "format" is ${quote(format)}, not "${FORMAT}"`,
    );
  }
  if (!/^[1-9]\d{0,8}$/.test(version)) {
    throw new FormatError(`the metadata field "format_version" is ${quote(version)}, not a whole number from 1`);
  }
  if (library === undefined) throw new FormatError('the metadata field "library_version" is missing');
  if (Number(version) > FORMAT_VERSION) {
    throw new FormatError(
      `bonmf ${library} wrote this file in format version ${version}, but this is bonmf ${VERSION}, which reads ` +
        `versions up to ${FORMAT_VERSION}: upgrade bonmf to ${library} or later`,
    );
  }
}

/** Checks every field, so that a model from a file is as valid as one from a fit. */
function readModel(fields: Fields, tensors: Tensors, tags: Tags): Model {
  const kept = findTensor(tensors, "labels").data.length;
  const counts = kept === 0 ? readCounts(tensors) : undefined;
  const samples = counts?.reduce((sum, count) => sum + count, 0) ?? kept;
  const scaler = readScaler(fields, tensors);
  const settings = readSettings(fields.settings, samples, scaler.outputs);
  const { k, restarts } = settings;
  const { form } = METHODS[settings.method];
  readOne(fields, "form", counts ? ["labels"] : [form]);
  if (counts) checkShape("counts", [counts.length], [k]);
  const labels = readLabels(tensors, kept, k);
  const model = new Model({
    settings,
    W: readFloats(tensors, "W", [k, scaler.outputs], takesSigned(settings.method, settings.update) ? FINITE : AMOUNT),
    codes: { form, k, labels: form === "real" ? null : labels, values: readValues(tensors, form, samples, k) },
    labels,
    ...(counts && { counts }),
    scaler,
    featureNames: readNames(fields.featureNames, scaler.features),
    tags,
    history: readHistory(tensors),
    stopped: readOne(fields, "stopped", STOPPED),
    repairs: readNumber(fields, "repairs", COUNT),
    zeroSamples: readNumber(fields, "zeroSamples", whole(0, samples)),
    normSq: readNumber(fields, "normSq", AMOUNT),
    // Earlier versions did not write it.
    singleError: (fields.singleError ?? null) === null ? null : readNumber(fields, "singleError", AMOUNT),
    restart: readNumber(fields, "restart", whole(0, restarts - 1)),
    best: readBest(fields.best, tensors, tags),
    ...readPotentials(tensors, fields, restarts),
    precision: readOne(fields, "precision", ["f32", "f64"]),
    version: readText(fields, "version"),
  });
  checkBest(model);
  return model;
}

function readTags(metadata: Readonly<Record<string, string>>): Tags {
  const found = Object.entries(metadata).filter(([key]) => key.startsWith(TAG));
  return Object.fromEntries(found.map(([key, text]) => [key.slice(TAG.length), text]));
}

function readScaler(fields: Fields, tensors: Tensors): Scaler {
  const features = readNumber(fields, "features", whole(1));
  const state = [...under(tensors, "scaler.")].map(([key, { data }]) => [key, data.slice()] as const);
  const scaler = restoreScaler(readText(fields, "scaler") as ScaleName, features, Object.fromEntries(state) as State);
  for (const key of Object.keys(scaler.state())) {
    checkShape(`scaler.${key}`, findTensor(tensors, `scaler.${key}`).shape, [features]);
  }
  return scaler;
}

function readSettings(value: unknown, samples: number, features: number): Settings {
  // Earlier versions knew no missing values, one loss and no penalties.
  const { missing, loss, l1W, l2W, l1H, l2H } = DEFAULTS;
  const stored: Fields = { missing, loss, l1W, l2W, l1H, l2H, ...asFields("settings", value) };
  return within("settings", () => {
    for (const [key, type] of Object.entries(SETTINGS)) {
      if (typeof stored[key] !== type) throw new FormatError(`${key} must be a ${type}, not ${quote(stored[key])}`);
    }
    const { init, ...others } = stored as unknown as Settings;
    const named = init === "given" ? undefined : init;
    return { ...resolveOptions({ ...others, init: named }, samples, features).settings, init };
  });
}

function readLabels(tensors: Tensors, samples: number, k: number): Labels {
  const labels = allocateLabels(samples, k);
  labels.set(viewTensor(tensors, "labels", UNSIGNED, [samples], whole(0, k - 1)));
  return labels;
}

/** The sizes of the clusters, where the labels are kept with the samples and not in the file. */
function readCounts(tensors: Tensors): Uint32Array {
  const { shape } = findTensor(tensors, "counts");
  return viewTensor(tensors, "counts", ["U32"], shape).slice();
}

function readValues(tensors: Tensors, form: Form, samples: number, k: number): Float64Array | null {
  if (form === "labels") return null;
  return form === "real"
    ? readFloats(tensors, "H", [samples, k], AMOUNT)
    : readFloats(tensors, "values", [samples], AMOUNT);
}

function readHistory(tensors: Tensors): Moment[] {
  const length = findTensor(tensors, "history.potential").data.length;
  if (length === 0) throw new FormatError("the history is empty: a model has at least one iteration");
  const [potential, relativeError, changed, fingerprint] = MOMENTS.map((key) =>
    readFloats(tensors, `history.${key}`, [length], HISTORY[key]),
  );
  return Array.from({ length }, (_, i) => ({
    iteration: i + 1,
    potential: potential[i],
    relativeError: relativeError[i],
    changed: changed[i],
    fingerprint: fingerprint[i],
  }));
}

/** Of the runs before an aborted one, or of all; older files do not have them. */
function readPotentials(tensors: Tensors, fields: Fields, restarts: number): { potentials?: Float64Array } {
  if (!tensors.has("potentials")) return {};
  const count = fields.stopped === "aborted" ? Number(fields.restart) : restarts;
  return { potentials: readFloats(tensors, "potentials", [count], FINITE) };
}

function readNames(value: unknown, features: number): readonly string[] | null {
  if (value === null) return null;
  if (!Array.isArray(value) || !value.every((name) => typeof name === "string")) {
    throw new FormatError(`featureNames must be null or an array of strings, not ${quote(value)}`);
  }
  return checkNames(value, features);
}

function readBest(value: unknown, tensors: Tensors, tags: Tags): Model | null {
  if (value === null) return null;
  const fields = asFields("best", value);
  return within("best", () => {
    // A finished run has no `best`; and a damaged file must not cause endless recursion.
    if (fields.best !== null) throw new FormatError(`best must be null, not ${quote(fields.best)}`);
    return readModel(fields, under(tensors, "best."), tags);
  });
}

function checkBest({ best, method, k, W, samples, scaler }: Model): void {
  if (best === null) return;
  const same =
    best.method === method &&
    best.k === k &&
    best.W.features === W.features &&
    best.samples === samples &&
    best.scaler.name === scaler.name;
  if (!same) throw new FormatError("best must be a run of the same fit: its method, sizes or scaler differ");
}
