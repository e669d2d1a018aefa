import { DataError } from "bonmf";
import type { Call, Options, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { nameSource } from "../input/input.js";
import { orAbort } from "../pause.js";
import type { Data, ReadOptions } from "../read/data.js";
import { readOptions } from "../read/options.js";
import { Reading } from "../read/read.js";
import { slice } from "../read/slices.js";
import { localEngine } from "../spark/options.js";
import { openDraft, STDOUT } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import type { Value } from "../write/table.js";
import { likeModel } from "./model-file.js";
import { runPredictions } from "./prediction-run.js";
import { PredictionSummary } from "./prediction-summary.js";
import { openPredictor, type Predictor, relocate } from "./predictor.js";
import { readWhich, type Which } from "./probability-columns.js";
import { readColumns, readTextOptions } from "./result-options.js";
import { nameVectors, readVectors } from "./vectors.js";

/** Bytes of dense samples read at a time, and the most samples; those of a GPU. */
const PART = { bytes: 32 * 2 ** 20, samples: 16_384 };
const GPU_PART = { bytes: 256 * 2 ** 20, samples: 262_144 };

export async function run(call: Call): Promise<void> {
  const { args, options, terminal, signal } = call;
  const [path, ...sources] = args;
  const given = options.string("out") ?? STDOUT;
  const out = given === STDOUT ? null : given;
  const engine = localEngine(options);
  const predictor = askOutliers(await openPredictor(path, options), path, options);
  if (out !== null) await checkTarget(out);
  const kept: Record<string, Value>[] = [];
  const summary = new PredictionSummary(predictor);
  const progress = terminal.progress("predicting");
  const onProgress: ReadOptions["onProgress"] = (done, total, unit) => progress.update(done, total, unit);
  const vectors = nameVectors(call, path, predictor.topics ?? null);
  const like = likeModel(predictor.model, vectors === null ? null : predictor.topics!.words);
  const reading = new Reading(sources, { ...readOptions(call), ...like, onProgress });
  const which = chooseProbabilities(options, predictor);
  if (which !== "none" && predictor.classifier?.calibration === null)
    terminal.note(
      "note: the classifier is not calibrated: its probabilities are shares of votes, or what the linear model says",
    );
  const rows = countRows(predictor, engine === undefined || engine === "cpu" ? PART : GPU_PART);
  const start = performance.now();
  let predicting = 0;
  try {
    const { milliseconds } = await runPredictions({
      terminal,
      signal,
      predictor,
      parts:
        vectors === null
          ? reading.readParts(rows)
          : readWithVectors({ ...call, args: sources }, reading, vectors, rows),
      reading,
      out,
      columns: readColumns(options),
      text: readTextOptions(options),
      why: options.flag("why"),
      engine,
      probabilities: which,
      kept,
      onPart: showNotes(terminal),
      onPredictions: (predictions, { labels }) => summary.add(predictions, labels),
      explain: (error, data, first) => explainPart(error, sources.join(", ") || "the query", first, data),
    });
    predicting = milliseconds;
  } finally {
    progress.end();
    await reading.close();
  }
  if (terminal.json) {
    const seconds = { total: (performance.now() - start) / 1000, predict: predicting / 1000 };
    const answers = out === null ? { predictions: kept } : {};
    terminal.out(JSON.stringify({ model: path, ...summary.toJson(), seconds, out, ...answers }));
  } else if (out === null) terminal.note(summary.describe(terminal.style));
  else terminal.out(`${summary.describe(terminal.style)}\nwritten to ${terminal.style.accent(out)}`);
}

/** Documents are counted as a whole where they have vectors. */
async function* readWithVectors(call: Call, reading: Reading, name: string, rows: number): AsyncGenerator<Data> {
  const data = await orAbort(reading.readAll(), call.signal);
  const about = { reading, source: nameSource(call), documents: data.X.samples };
  const { X: vectors } = await readVectors(call, name, about);
  yield* slice({ ...data, vectors }, rows);
}

/** With --columns none, only those that were asked for. */
function chooseProbabilities(options: Options, { classifier }: Predictor): Which {
  if (classifier === null && options.string("probabilities") !== undefined) {
    throw new UserError("a model without classes has no probabilities", "omit --probabilities");
  }
  const asked = options.string("probabilities") !== undefined || readColumns(options)?.length !== 0;
  return classifier === null || !asked ? "none" : readWhich(options, classifier.classes.length);
}

/** Shows each note once. */
function showNotes(terminal: Terminal): (data: Data) => void {
  const shown = new Set<string>();
  return ({ notes }) => {
    for (const note of notes) if (!shown.has(note)) terminal.note(`note: ${note}`);
    for (const note of notes) shown.add(note);
  };
}

/** Fails before the work if the file cannot be written. */
async function checkTarget(out: string): Promise<void> {
  formatOf(out, TABLES);
  await (await openDraft(out)).discard();
}

function countRows({ model }: Predictor, { bytes, samples }: typeof PART): number {
  return Math.min(samples, Math.max(1024, Math.floor(bytes / (4 * model.scaler.features))));
}

/** A bad value in the words of the command; `first` is the number of the part's first sample. */
function explainPart(error: unknown, source: string, first: number, { features, ids }: Data): unknown {
  if (!(error instanceof DataError)) return error;
  const { sample, feature, value } = error.place;
  if (sample === undefined || feature === undefined) return relocate(error, (i) => first + i);
  const name = ids ? ` (${JSON.stringify(ids[sample])})` : "";
  const column = features ? `column ${JSON.stringify(features[feature])}` : `feature ${feature + 1}`;
  const place = `${source}: sample ${first + sample + 1}${name}, ${column} is ${String(value)}`;
  if (error.code === "negative") {
    return new UserError(
      `${place}, but the model was fitted without a scaler and takes values of 0 or more`,
      "fit it again with --scale minmax, shift or split, which take negative values",
      { cause: error },
    );
  }
  return new UserError(`${place}: values must be finite numbers`, "add --missing zero, mean or drop", { cause: error });
}

function askOutliers(predictor: Predictor, path: string, options: Options): Predictor {
  if (!options.flag("outliers")) return predictor;
  if (predictor.topics) return { ...predictor, outliers: true };
  throw new UserError(
    `${path} holds no topics, of which --outliers tells`,
    "fit them with bonmf topics, or omit --outliers",
  );
}
