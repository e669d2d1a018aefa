import type { Model, Topics } from "bonmf";
import type { Call } from "../command.js";
import { explainData } from "../input/data-error.js";
import type { Data } from "../read/data.js";
import type { Reading } from "../read/read.js";
import { runPredictions } from "./prediction-run.js";
import { readTextOptions } from "./result-options.js";

interface Training extends Pick<Call, "terminal" | "signal" | "options"> {
  readonly samples: number;
  /** In the order of the rows. */
  readonly parts: Iterable<Data> | AsyncIterable<Data>;
  readonly reading: Reading | null;
  /** See readColumns. */
  readonly columns: readonly string[] | null;
}

/** Writes the rows that a model was fitted on with their clusters, as `predict` would: it finds the same clusters. */
export async function writeTrainingRows(
  path: string,
  model: Model,
  training: Training,
  topics: Topics | null = null,
): Promise<void> {
  const { samples, parts, reading, columns, terminal, signal, options } = training;
  const progress = terminal.progress("writing");
  let done = 0;
  try {
    await runPredictions({
      terminal,
      // What an interrupted fit has reached is written too.
      signal: signal.aborted ? new AbortController().signal : signal,
      predictor: { model, classifier: null, topics, outliers: topics !== null && options.flag("outliers") },
      parts,
      reading,
      out: path,
      columns,
      text: readTextOptions(options),
      why: false,
      onPredictions: (predictions) => {
        done += predictions.length;
        progress.update(done, samples, "samples");
      },
      explain: (error) => explainData(error, path),
    });
  } finally {
    progress.end();
  }
}
