import { readFileSync } from "node:fs";
import {
  AbortError,
  countedAs,
  type Label,
  loadTopics,
  type Matrix,
  type MethodName,
  Sparse,
  saveTopics,
  type TextList,
  type Topics,
  topics,
} from "bonmf";
import type { WordRules } from "bonmf-data";
import { arrangeWords, completeRecipe, openStem } from "bonmf-data";
import { writeRecipe } from "bonmf-data/recipe";
import { quoteWord } from "../args/quote.js";
import type { Call, Progress, Terminal } from "../command.js";
import { topics as command } from "../commands/topics.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/data-error.js";
import { type Loaded, load } from "../input/input.js";
import type { Data, Recipe } from "../read/data.js";
import { slice } from "../read/slices.js";
import { readWordRules } from "../read/word-options.js";
import { escapeControls } from "../show/escape.js";
import { decimal, plural } from "../show/text.js";
import { openDraft, STDOUT, writeWhole } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import { listMeasured } from "./choose-report.js";
import { readDates } from "./dates.js";
import { fitOptions, LIMITS, refuseMask } from "./fit-options.js";
import { type Scores, scoreClusters } from "./fit-report.js";
import { checkModelName, readModel } from "./model-file.js";
import { readColumns } from "./result-options.js";
import { listTopics, type ShownDocuments } from "./topics-file.js";
import { describeTopics, type TopicFacts, topicsJson } from "./topics-report.js";
import { readVectors, tellTopics } from "./vectors.js";
import { type Gain, measureGain } from "./vectors-gain.js";

/** Where results go. */
interface Targets {
  readonly model: string | undefined;
  readonly assignments: string | undefined;
  readonly table: string | undefined;
  readonly page: string | undefined;
}

/** Options that say where results go. */
const FILES = ["out", "assignments", "columns", "topics", "report", "outliers", "spreadsheet-safe"];

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  refuseMask(options, "bonmf topics");
  const targets: Targets = {
    model: options.string("out"),
    assignments: options.string("assignments"),
    table: options.string("topics"),
    page: options.string("report"),
  };
  await checkTargets(targets);
  const time = options.string("time");
  const previous = await readPrevious(options.string("previous"));
  const seedWords = readSeedWords(options.string("seed-words"));
  const wanted = options.string("vectors");
  const keep = time !== undefined || targets.assignments !== undefined || wanted !== undefined;
  const texts = await load(call, { documents: true }, call.args, keep);
  const { reading, source } = texts;
  try {
    const read = wanted === undefined ? texts : await addVectors(call, texts, wanted);
    const documents = takeDocuments(read.data, source);
    const isCounted = COUNTED.has(read.data.kind);
    if (isCounted) refuseTextRules(options, source);
    const dates = time === undefined ? null : await readDates(reading!, time, source);
    const start = performance.now();
    const found = await fitTopics(call, read, documents, { previous, seedWords });
    tellUnknown(found, call);
    const loaded = isCounted ? arrangeLike(read, found) : read;
    const { data } = loaded;
    const seconds = (performance.now() - start) / 1000;
    const facts: TopicFacts = {
      found,
      coherence: found.coherence(),
      overTime: dates && found.overTime(dates),
      perClass: data.labels && found.perClass(data.labels),
      scores: data.labels && (await scoreTopics(data.labels, found.labels, call.signal)),
      gain: previous || !documents.vectors ? null : await compareVectors(call, read, documents, { found, seedWords }),
      source,
      seconds,
      targets: [targets.model, targets.assignments, targets.table, targets.page].filter((path) => path !== undefined),
    };
    await writeResults(call, loaded, facts, { ...targets, dates });
    if (terminal.json) terminal.out(JSON.stringify(topicsJson(facts)));
    else terminal.out(describeTopics(facts, terminal));
  } finally {
    await reading?.close();
  }
}

/** The same number of topics by words alone and by vectors alone. */
function compareVectors(
  call: Call,
  loaded: Loaded,
  documents: Counted,
  { found, seedWords }: Pick<Guides, "seedWords"> & { readonly found: Topics },
): Promise<Gain[] | null> {
  const { vectors, ...words } = documents;
  const { labels } = loaded.data;
  const fixed = { previous: undefined, seedWords, k: found.list.length };
  return measureGain(
    found,
    (vectorWeight) =>
      vectorWeight === 0
        ? fitTopics(call, loaded, words, fixed)
        : fitTopics(call, loaded, documents, { ...fixed, vectorWeight }),
    async (topics) => (labels && (await scoreTopics(labels, topics.labels, call.signal)))?.nmi ?? null,
  );
}

/** Kinds of files that hold counts of words. */
const COUNTED: ReadonlySet<string> = new Set(["libsvm", "market"]);

function refuseTextRules(options: Call["options"], source: string): void {
  for (const name of ["language", "ngrams", "stem"]) {
    if (!options.flag(name)) continue;
    const remedy = `omit --${name}; --stop-words, --min-docs, --max-share and --max-words choose among the counted words`;
    throw new UserError(`--${name} is for texts, but ${source} holds counts of words`, remedy);
  }
}

/** Counts with the words of the topics alone, in their order. */
function arrangeLike(loaded: Loaded, { words }: Topics): Loaded {
  const { data } = loaded;
  return { ...loaded, data: { ...data, ...arrangeWords(data.X, data.features!, words) } };
}

async function addVectors(call: Call, loaded: Loaded, name: string): Promise<Loaded> {
  const { data, reading, source } = loaded;
  const about = { reading: reading!, source, documents: data.X.samples };
  const { X, column } = await readVectors(call, name, about);
  const { text } = data.recipe;
  const recipe = text && column !== null ? { ...data.recipe, text: { ...text, vectors: column } } : data.recipe;
  return { ...loaded, data: { ...data, recipe, vectors: X } };
}

/** A long fit must not end at a file that cannot be written. */
async function checkTargets({ model, assignments, table, page }: Targets): Promise<void> {
  if (model !== undefined) {
    checkModelName(model, "--assignments FILE writes the topic of each document, --topics FILE a table of the topics");
  }
  if (assignments === STDOUT) throw new UserError("--assignments needs a file", "as in --assignments documents.csv");
  if (assignments !== undefined) formatOf(assignments, TABLES);
  if (table !== undefined && !/\.(csv|json|md)$/i.test(table)) {
    throw new UserError(`${table}: topics are written as .csv, .json or .md`, "end the name in one of them");
  }
  if (page !== undefined) await (await import("./report-file.js")).checkReport(page);
  for (const path of [model, assignments, table, page]) {
    if (path !== undefined) await (await openDraft(path)).discard();
  }
}

async function readPrevious(path: string | undefined): Promise<Topics | undefined> {
  return path === undefined ? undefined : loadTopics(await readModel(path), undefined, path);
}

/** A line of words for each topic. */
function readSeedWords(path: string | undefined): string[][] | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`--seed-words ${path}: ${code === "ENOENT" ? "there is no such file" : message}`);
  }
  const lists = text
    .replace(/^\ufeff/u, "")
    .split("\n")
    .map((line) => line.split(/[\s,;]+/u).filter((word) => word !== ""))
    .filter((words) => words.length > 0);
  if (lists.length === 0) throw new UserError(`--seed-words ${path}: the file has no words`, "a line for each topic");
  return lists;
}

/** Names in a note. */
const NAMED = 10;

function tellUnknown({ unknownSeeds }: Topics, { options, terminal }: Call): void {
  if (unknownSeeds.length === 0) return;
  const more = unknownSeeds.length > NAMED ? " …" : "";
  const words = unknownSeeds.slice(0, NAMED).map(escapeControls).join(", ") + more;
  const which = `${plural(unknownSeeds.length, "word")} of ${escapeControls(options.string("seed-words")!)}`;
  const are = unknownSeeds.length === 1 ? "is" : "are";
  terminal.note(`note: ${which} ${are} without effect: no document has ${words}, or a limit leaves that out`);
}

interface Counted {
  readonly counts: Sparse;
  readonly vocabulary: readonly string[];
  readonly documents?: TextList;
  readonly vectors?: Matrix;
}

function takeDocuments({ X, features, texts, vectors, kind, recipe }: Data, source: string): Counted {
  const counted = COUNTED.has(kind);
  if (counted && !features) {
    throw new UserError(`${source} has counts without words`, "name them with --vocabulary FILE, one word a line");
  }
  if (!features || !(kind === "text" || recipe.text !== undefined || counted)) {
    const remedy =
      "name the column that holds the text: --text COLUMN; or give text files, a line or a file for each document";
    throw new UserError(`${source} is read as numbers, not as documents`, remedy);
  }
  const counts = X.kind === "sparse" ? X : Sparse.fromDense(X);
  return { counts, vocabulary: features, ...(texts && { documents: texts }), ...(vectors && { vectors }) };
}

interface Guides {
  readonly previous: Topics | undefined;
  readonly seedWords: readonly (readonly string[])[] | undefined;
  /** Default: as asked. */
  readonly k?: number;
  readonly vectorWeight?: number;
}

async function fitTopics(call: Call, { data, source }: Loaded, documents: Counted, guides: Guides): Promise<Topics> {
  const { options, terminal, signal } = call;
  const { method, loss, seed, restarts, threads } = fitOptions(options);
  const asked = options.string("k") === "auto" ? "auto" : options.number("k");
  const progress = watch(terminal, method ?? "bonmf");
  try {
    return await topics(documents, {
      ...(asked !== undefined && { k: asked }),
      method,
      loss,
      seed,
      restarts,
      threads,
      signal,
      vectorWeight: documents.vectors && readWeight(options),
      ...guides,
      ...(COUNTED.has(data.kind) ? limitsOf(options) : await openStem(data.recipe.text)),
      tags: { recipe: writeRecipe(recipeOf(data)), source, ...tagGuides(options, guides) },
      onStep: progress.step,
      onProgress: progress.choose,
    });
  } catch (error) {
    if (error instanceof AbortError || signal.aborted) throw new UserError("stopped; nothing was saved");
    throw explainData(error, source);
  } finally {
    progress.end();
  }
}

/** What a report needs to say how the topics are found again. */
function tagGuides(options: Call["options"], { seedWords }: Guides): Record<string, string> {
  const previous = options.string("previous");
  const seedFile = options.string("seed-words");
  return {
    ...(previous !== undefined && { previous }),
    ...(seedFile !== undefined && { seedFile, seedWords: JSON.stringify(seedWords) }),
  };
}

function recipeOf(data: Data): Recipe {
  const recipe = completeRecipe(data);
  return COUNTED.has(data.kind) ? { ...recipe, words: data.features! } : recipe;
}

/** Of texts the reader has chosen the words. */
function limitsOf(options: Call["options"]): Pick<WordRules, "stopWords" | "minDocuments" | "maxShare" | "maxWords"> {
  const { stopWords, moreStopWords, minDocuments, maxShare, maxWords } = readWordRules({ options }) ?? {};
  return { stopWords: stopWords ?? moreStopWords, minDocuments, maxShare, maxWords };
}

function readWeight(options: Call["options"]): number | undefined {
  const weight = options.number("vector-weight");
  if (weight === undefined || (weight >= 0 && weight <= 1)) return weight;
  throw new UserError(`--vector-weight must be from 0 to 1, not ${weight}`, "0.5 counts words and vectors alike");
}

function watch(terminal: Terminal, method: MethodName) {
  const choosing = terminal.progress("choosing k");
  // Its time begins with the fit.
  let fitting: Progress | null = null;
  return {
    step: ({ iteration, relativeError }: { iteration: number; relativeError: number }) => {
      fitting ??= terminal.progress("fitting");
      fitting.update(iteration, LIMITS[method], "iterations", `error ${decimal(relativeError)}`);
    },
    choose: ({ measured }: { measured: number }) => choosing.update(measured, 1, "share"),
    end: () => choosing.end(),
  };
}

async function writeResults(
  call: Call,
  loaded: Loaded,
  facts: TopicFacts,
  targets: Targets & { readonly dates: readonly (number | null)[] | null },
): Promise<void> {
  const { found } = facts;
  const { data, reading } = loaded;
  const names = found.list.map(({ name }) => name);
  if (targets.model !== undefined) {
    await writeWhole(targets.model, saveTopics(found, { clusterNames: JSON.stringify(names) }));
  }
  if (targets.table !== undefined)
    await writeWhole(targets.table, await listTopics(facts, await show(data, found), targets.table));
  if (targets.assignments !== undefined) {
    const { writeTrainingRows } = await import("./training-rows.js");
    const { options, terminal, signal } = call;
    const training = { options, terminal, signal, samples: data.X.samples, parts: slice(data, 8192) };
    const columns = readColumns(options);
    await writeTrainingRows(targets.assignments, found.model, { ...training, reading, columns }, found);
  }
  if (targets.page !== undefined) {
    const { writePage } = await import("./report.js");
    const choice = found.choice && { ...found.choice, k: found.model.k, trials: listMeasured(found.choice) };
    const told = found.model.featureNames === null ? tellTopics(found, takeDocuments(data, loaded.source)) : null;
    const seen = told ? { ...loaded, data: { ...data, X: found.seen! } } : loaded;
    const command = writeCommand(call, found.model);
    await writePage(call, targets.page, found.model, seen, {
      ...{ clusterNames: names, choice, dates: targets.dates, told, command },
      starts: call.options.number("restarts"),
    });
  }
}

async function show(data: Data, { words }: Topics): Promise<ShownDocuments> {
  const { makeNamer } = await import("bonmf-report");
  const { ids, texts = null, dropped, recipe } = data;
  const nameOf = makeNamer({ ids, texts, dropped });
  return { texts, nameOf, countedAs: countedAs(words, await openStem(recipe.text)) };
}

/** Of the documents that are in a topic. */
function scoreTopics(labels: readonly Label[], topics: ArrayLike<number>, signal: AbortSignal): Promise<Scores> | null {
  const rows = labels.map((_, i) => i).filter((i) => topics[i] >= 0);
  if (rows.length === 0) return null;
  return scoreClusters(
    rows.map((i) => labels[i]),
    rows.map((i) => topics[i]),
    signal,
  );
}

/** The command that finds these topics again. */
function writeCommand({ args, options }: Call, { k }: Topics["model"]): string {
  const words = ["bonmf", "topics", ...args, "--k", String(k)];
  for (const { name, value } of command.options) {
    if (name === "k" || FILES.includes(name)) continue;
    const given = value === undefined ? undefined : options.string(name);
    if (given !== undefined) words.push(`--${name}`, given);
    else if (value === undefined && options.flag(name)) words.push(`--${name}`);
  }
  return words.map(quoteWord).join(" ");
}
