import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { countedAs, loadModel, loadTopics, type Model, type Sparse, type Topics } from "bonmf";
import { guessSize, isProject, openStem, type Size } from "bonmf-data";
import { collectFindings, measureReference, type ReportData, renderPage } from "bonmf-report";
import { quoteWord } from "../args/quote.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/data-error.js";
import { type Loaded, load, nameSource } from "../input/input.js";
import { Scratch } from "../read/files/scratch.js";
import { readOptions } from "../read/options.js";
import { WORD_OPTIONS } from "../read/word-options.js";
import { escapeControls } from "../show/escape.js";
import { plural, bytes as showBytes } from "../show/text.js";
import { openDraft } from "../write/file.js";
import { repeatObjective } from "./fit-options.js";
import { groupsOf, likeModel, namesOf, openTopics, readBytes, readModel, recipeOf } from "./model-file.js";
import { readFromProject } from "./project-file.js";
import { checkReport, writeReport } from "./report-file.js";
import { nameVectors, readVectors, tellTopics } from "./vectors.js";

export async function run(call: Call): Promise<void> {
  const { options } = call;
  const [path, ...args] = call.args;
  const out = options.string("out") ?? "report.html";
  await checkReport(out);
  const bytes = await readModel(path);
  const model = loadModel(bytes, path);
  checkSize(call, model);
  chooseNames(call, model);
  await (await openDraft(out)).discard();
  const scratch = new Scratch();
  try {
    await writeModelReport({ ...call, args }, { path, bytes, model }, out, scratch);
  } finally {
    await scratch.remove();
  }
}

interface ModelFile {
  readonly path: string;
  /** What the file has: it is read once, since it may be a pipe. */
  readonly bytes: Uint8Array;
  readonly model: Model;
}

async function writeModelReport(call: Call, file: ModelFile, out: string, scratch: Scratch): Promise<void> {
  const { terminal } = call;
  const { path, bytes, model } = file;
  const known = call.args.length > 0 || asks(call);
  const { reading, names: sources } = known
    ? { reading: call, names: call.args }
    : await findSamples(call, path, scratch);
  const names = chooseNames(call, model);
  const groups = groupsOf(model);
  const topics = await openTopics(bytes, path);
  const { told, ...loaded } = await loadShown(reading, file, topics);
  const reference = await measureReference(model, loaded.data.X, loaded.data.weights, call.signal);
  const given = { ...reading, args: sources };
  const command = topics ? repeatTopics(given, topics) : writeCommand(given, model);
  const shown = { ...loaded, source: nameSource(given) };
  await writePage(reading, out, model, shown, { clusterNames: names, groups, reference, command, told });
  const { size: written } = await stat(out);
  const { samples, features } = loaded.data.X;
  if (terminal.json) {
    const labels = loaded.data.labels !== null;
    terminal.out(JSON.stringify({ model: path, k: model.k, samples, features, labels, out, bytes: written }));
    return;
  }
  const clusters = new Set(groups ?? model.counts.keys()).size;
  const merged = clusters < model.k ? `, merged into ${clusters}` : "";
  const [sample, cluster] = topics ? ["document", "topic"] : ["sample", "cluster"];
  const what = `${plural(samples, sample)} in ${plural(model.k, cluster)}${merged}`;
  terminal.out(`${what}: report written to ${terminal.style.accent(escapeControls(out))} (${showBytes(written)})`);
  if (!/\.pdf$/i.test(out)) terminal.note(`open it in a browser: ${pathToFileURL(resolve(out))}`);
}

/** The samples as the model sees them; documents with vectors are told by words beside. */
async function loadShown(
  call: Call,
  { path, bytes, model }: ModelFile,
  topics: Topics | null,
): Promise<Loaded & Pick<ReportData, "told">> {
  const name = nameVectors(call, path, topics);
  if (!topics || name === null) return load(call, { ...likeFit(model), size: undefined });
  const loaded = await load(call, likeFit(model, topics.words), call.args, true);
  const { data, reading, source } = loaded;
  try {
    const { X: vectors } = await readVectors(call, name, { reading: reading!, source, documents: data.X.samples });
    const documents = { counts: data.X as Sparse, vocabulary: topics.words, documents: data.texts!, vectors };
    const found = loadTopics(bytes, documents, path);
    return { ...loaded, data: { ...data, X: found.seen! }, told: tellTopics(found, documents) };
  } finally {
    await reading?.close();
  }
}

/** The samples as the fit saw them, with its label. */
function likeFit(model: Model, words: readonly string[] | null = null): ReturnType<typeof likeModel> {
  const { like } = likeModel(model, words);
  return like ? { like: { ...like, labelled: true } } : {};
}

/** Whether a query gives the samples. */
function asks({ options }: Call): boolean {
  return ["sql", "table", "parquet"].some((name) => options.string(name) !== undefined);
}

/** A project of the studio knows its samples. */
async function findSamples(call: Call, path: string, scratch: Scratch): ReturnType<typeof readFromProject> {
  const bytes = await readBytes(path);
  if (isProject(bytes)) return readFromProject(call, bytes, path, scratch);
  throw new UserError("bonmf report needs DATA: bonmf report MODEL DATA…", "bonmf report --help shows examples");
}

/** Also for `bonmf fit --report`; the call's arguments are the sources. */
export async function writePage(
  call: Call,
  out: string,
  model: Model,
  { data, source }: Loaded,
  more: Pick<ReportData, "clusterNames" | "groups" | "reference" | "choice" | "command" | "dates" | "told" | "starts">,
): Promise<void> {
  const { weights, features, labels, ids, texts, dropped } = data;
  const X = model.settings.missing === "mask" ? model.impute(data.X) : data.X;
  const image = readOptions(call).size ?? findPixels(data);
  const recipe = image ? { ...data.recipe, image } : data.recipe;
  const command = writeCommand(call, model);
  try {
    const shown = {
      X,
      weights,
      features,
      labels,
      ids,
      texts: texts && [...texts],
      countedAs: countedAs(more.told?.topics.words ?? features ?? [], await openStem(recipe.text)),
      dropped,
      recipe,
      source,
      command,
      ...more,
    };
    const findings = await collectFindings(model, shown, call.signal);
    await writeReport(out, () => renderPage(findings), call.signal);
  } catch (error) {
    throw explainData(error, source);
  }
}

/** Columns that are only numbered and make a square are pixels; --size says so of others. */
export function findPixels({ X, features, kind, recipe }: Loaded["data"]): Size | null {
  return kind === "text" || recipe.image ? null : guessSize(X.features, features);
}

function checkSize(call: Call, model: Model): void {
  const { size } = readOptions(call);
  const { features } = model.scaler;
  if (!size || size.width * size.height === features) return;
  const pixels = size.width * size.height;
  throw new UserError(`--size asks for ${pixels} pixels, but the model has ${features} features`);
}

function chooseNames({ options }: Call, model: Model): readonly string[] | null {
  const names = options.list("names");
  if (!names) return namesOf(model);
  if (names.length === model.k) return names;
  throw new UserError(
    `--names has ${plural(names.length, "name")}, but the model has ${plural(model.k, "cluster")}`,
    "give one for each cluster; write a comma inside a name as \\,",
  );
}

const READING = [
  ...["sql", "kind", "label", "id", "weight", "features", "exclude", "one-hot", "missing", "size", "text"],
  ...WORD_OPTIONS.filter(({ value }) => value !== undefined).map(({ name }) => name),
];

/** The command that finds these topics again, where they were not edited. */
function repeatTopics(call: Call, topics: Topics): string {
  const { model, vectorWeight } = topics;
  const { method, k, seed } = model.settings;
  const vectors = vectorWeight > 0 ? (call.options.string("vectors") ?? recipeOf(model)?.text?.vectors) : undefined;
  const weight = vectors === undefined || vectorWeight === HALF ? undefined : vectorWeight;
  const objective = Object.fromEntries(repeatObjective(model.settings));
  const { seedFile, previous } = model.tags;
  const guides = { "seed-words": seedFile, previous };
  const flags = { k, seed, method, ...objective, vectors, "vector-weight": weight, ...guides };
  return writeWords(call, "topics", flags, model);
}

/** The default of --vector-weight. */
const HALF = 0.5;

/** The command that makes this model from these samples. */
function writeCommand(call: Call, model: Model): string {
  const { settings, scaler, tags } = model;
  const { method, k, seed, init, restarts, maxIterations, tolerance, update, alpha, sweeps } = settings;
  // What was chosen for these samples is chosen again.
  const scale = tags.scale === undefined ? scaler.name : "auto";
  const flags = {
    ...{ k, seed, method, scale, init: init === "given" ? undefined : init, restarts },
    ...{ "max-iterations": maxIterations, tolerance },
    update: update === "mean" ? undefined : update,
    alpha: alpha === 1 ? undefined : alpha,
    sweeps: sweeps === 1 ? undefined : sweeps,
    ...Object.fromEntries(repeatObjective(settings)),
  };
  return writeWords(call, "fit", flags, model);
}

function writeWords(
  { args, options }: Call,
  command: string,
  flags: Readonly<Partial<Record<string, string | number>>>,
  model: Model,
): string {
  const words = ["bonmf", command, ...args];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(`--${name}`, String(value));
  };
  for (const [name, value] of Object.entries(flags)) add(name, value);
  for (const name of READING) add(name, options.string(name));
  const text = recipeOf(model)?.text;
  if (options.string("text") === undefined) add("text", text?.column);
  if (text?.stem) words.push("--stem");
  return words.map(quoteWord).join(" ");
}
