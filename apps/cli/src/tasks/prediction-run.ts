import type { EngineName } from "bonmf";
import type { Call } from "../command.js";
import { orAbort } from "../pause.js";
import type { Data } from "../read/data.js";
import type { Reading } from "../read/read.js";
import { formatOf, TABLES } from "../write/format.js";
import type { TextOptions, Value } from "../write/table.js";
import { chooseColumns } from "./prediction-columns.js";
import { openWriter, type PredictionWriter } from "./prediction-writer.js";
import { type Prediction, type Predictor, predict } from "./predictor.js";
import type { Which } from "./probability-columns.js";

export interface PredictionRun extends Pick<Call, "terminal" | "signal"> {
  readonly predictor: Predictor;
  /** Samples in the order of the rows. */
  readonly parts: AsyncIterable<Data> | Iterable<Data>;
  /** Where the table's own columns can be read again; null where they cannot. */
  readonly reading: Reading | null;
  /** Null: standard output. */
  readonly out: string | null;
  /** See readColumns. */
  readonly columns: readonly string[] | null;
  readonly text?: TextOptions;
  /** Reasons of a classifier. */
  readonly why: boolean;
  /** Where clusters are found; default the CPU. */
  readonly engine?: EngineName | undefined;
  /** Columns of probabilities of a classifier. */
  readonly probabilities?: Which;
  /** With --json and without `out`, takes the answers instead. */
  readonly kept?: Record<string, Value>[];
  /** Told before the part is predicted. */
  readonly onPart?: (data: Data) => void;
  readonly onPredictions?: (predictions: readonly Prediction[], data: Data) => void;
  /** Turns an error into one that names the sample; `first` is the number of the part's first sample. */
  readonly explain: (error: unknown, data: Data, first: number) => unknown;
}

/** Predicts and writes one part after another; what was written is removed where a part fails. Returns the time of predicting. */
export async function runPredictions(run: PredictionRun): Promise<{ milliseconds: number }> {
  const { predictor, parts, why, signal, onPart, onPredictions } = run;
  const printed = run.out === null && run.terminal.json;
  const full = !printed && !(run.columns?.length === 0);
  const noted = new Set<string>();
  const onNote = (text: string) => {
    if (!noted.has(text)) run.terminal.note(`note: ${text}`);
    noted.add(text);
  };
  const probabilities = (run.probabilities ?? "none") !== "none";
  const wanted = { full: why || full, probabilities, engine: run.engine, onNote };
  let writer: PredictionWriter | null = null;
  let milliseconds = 0;
  let first = 0;
  try {
    for await (const data of parts) {
      onPart?.(data);
      const start = performance.now();
      const predictions = await predict(predictor, data, wanted, signal).catch((error: unknown) => {
        throw run.explain(error, data, first);
      });
      milliseconds += performance.now() - start;
      writer ??= await open(run, data, full);
      await writer.write(predictions, data, first);
      onPredictions?.(predictions, data);
      first += predictions.length;
    }
    signal.throwIfAborted();
    if (writer) await orAbort(writer.commit(), signal, 0);
    return { milliseconds };
  } catch (error) {
    await writer?.discard();
    throw error;
  }
}

async function open(run: PredictionRun, data: Data, full: boolean): Promise<PredictionWriter> {
  const { terminal, out, predictor, why, columns, kept = [], text, probabilities = "none" } = run;
  const format = out === null ? "csv" : formatOf(out, TABLES);
  const originals = full ? ((await run.reading?.readOriginals(columns, format)) ?? null) : null;
  const beside = originals?.names ?? null;
  try {
    const answers = chooseColumns(predictor, data, { why, full, beside, probabilities });
    return await openWriter(terminal, out, answers, originals, kept, text);
  } catch (error) {
    await originals?.close();
    throw error;
  }
}
