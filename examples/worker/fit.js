// The worker: fits what it is sent, reports every iteration, stops when told.
import { parentPort } from "node:worker_threads";
import { AbortError, Dense, fit, saveModel } from "bonmf";

const stop = new AbortController();

parentPort.on("message", async ({ type, samples, features, data, options }) => {
  if (type === "stop") return stop.abort();
  try {
    const model = await fit(new Dense(samples, features, data), {
      ...options,
      signal: stop.signal,
      onStep: ({ iteration, changed }) => parentPort.postMessage({ type: "step", iteration, changed }),
    });
    parentPort.postMessage({ type: "done", model: saveModel(model) });
  } catch (error) {
    // An aborted fit carries the model it had reached; `resume` continues from it.
    const model = error instanceof AbortError && error.model ? saveModel(error.model) : null;
    parentPort.postMessage({ type: "failed", message: error.message, model });
  } finally {
    parentPort.close();
  }
});
