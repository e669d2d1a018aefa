import type { Model } from "bonmf";
import type { Call } from "../command.js";
import { explainData } from "../input/data-error.js";
import type { Data } from "../read/data.js";
import type { Reading } from "../read/read.js";
import { slice } from "../read/slices.js";
import { runPredictions } from "./prediction-run.js";

interface Training extends Pick<Call, "terminal" | "signal"> {
  readonly data: Data;
  readonly reading: Reading | null;
  /** See readColumns. */
  readonly columns: readonly string[] | null;
}

const PART = 8192;

/** Writes the rows that a model was fitted on with their clusters, as `predict` would: it finds the same clusters. */
export async function writeTrainingRows(path: string, model: Model, training: Training): Promise<void> {
  const { data, reading, columns, terminal, signal } = training;
  const progress = terminal.progress("writing");
  let done = 0;
  try {
    await runPredictions({
      terminal,
      // What an interrupted fit has reached is written too.
      signal: signal.aborted ? new AbortController().signal : signal,
      predictor: { model, classifier: null },
      parts: slice(data, PART),
      reading,
      out: path,
      columns,
      why: false,
      onPredictions: (predictions) => {
        done += predictions.length;
        progress.update(done, data.X.samples, "samples");
      },
      explain: (error) => explainData(error, path),
    });
  } finally {
    progress.end();
  }
}
