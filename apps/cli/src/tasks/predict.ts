import { DataError } from "bonmf";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "../read/data.js";
import { readOptions } from "../read/options.js";
import { readParts } from "../read/read.js";
import { openDraft } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import type { Value } from "../write/table.js";
import { likeModel } from "./model-file.js";
import { chooseColumns } from "./prediction-columns.js";
import { PredictionSummary } from "./prediction-summary.js";
import { openWriter, type PredictionWriter } from "./prediction-writer.js";
import { openPredictor, type Predictor, predict, relocate } from "./predictor.js";

/** Bytes of dense samples read at a time. */
const PART = 32 * 2 ** 20;

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const [path] = call.args;
  const out = options.string("out") ?? null;
  const predictor = await openPredictor(path, options);
  if (out !== null) await checkTarget(out);
  const kept: Record<string, Value>[] = [];
  const start = performance.now();
  const { summary, predicting } = await predictParts(call, predictor, out, kept);
  if (terminal.json) {
    const seconds = { total: (performance.now() - start) / 1000, predict: predicting / 1000 };
    const answers = out === null ? { predictions: kept } : {};
    terminal.out(JSON.stringify({ model: path, ...summary.toJson(), seconds, out, ...answers }));
  } else if (out === null) terminal.note(summary.describe(terminal.style));
  else terminal.out(`${summary.describe(terminal.style)}\nwritten to ${terminal.style.accent(out)}`);
}

/** Reads, predicts and writes one part after another, so that samples larger than memory can be predicted. */
async function predictParts(
  call: Call,
  predictor: Predictor,
  out: string | null,
  kept: Record<string, Value>[],
): Promise<{ summary: PredictionSummary; predicting: number }> {
  const { args, options, signal, terminal } = call;
  const sources = args.slice(1);
  const why = options.flag("why");
  const summary = new PredictionSummary(predictor);
  const shown = new Set<string>();
  const progress = terminal.progress("predicting");
  const onProgress: ReadOptions["onProgress"] = (done, total, unit) => progress.update(done, total, unit);
  const reading = { ...readOptions(call), ...likeModel(predictor.model), onProgress };
  let writer: PredictionWriter | null = null;
  let predicting = 0;
  try {
    for await (const data of readParts(sources, reading, countRows(predictor))) {
      for (const note of data.notes) if (!shown.has(note)) terminal.note(`note: ${note}`);
      for (const note of data.notes) shown.add(note);
      const start = performance.now();
      const predictions = await predict(predictor, data.X, why, signal).catch((error: unknown) => {
        throw explainPart(error, sources.join(", ") || "the query", summary.samples, data);
      });
      predicting += performance.now() - start;
      writer ??= await openWriter(terminal, out, chooseColumns(predictor, data, why), kept);
      await writer.write(predictions, data, summary.samples);
      summary.add(predictions, data.labels);
    }
    signal.throwIfAborted();
    await writer?.commit();
    return { summary, predicting };
  } catch (error) {
    await writer?.discard();
    throw error;
  } finally {
    progress.end();
  }
}

/** Fails before the work if the file cannot be written. */
async function checkTarget(out: string): Promise<void> {
  formatOf(out, TABLES);
  await (await openDraft(out)).discard();
}

function countRows({ model }: Predictor): number {
  return Math.min(16_384, Math.max(1024, Math.floor(PART / (4 * model.scaler.features))));
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
