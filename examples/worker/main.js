// Keeps the main thread free: the fit runs in a worker, which reports progress and can be stopped. In a browser, use
// `new Worker(url, { type: "module" })`, and `self` in place of `parentPort`; the rest is the same.
import { Worker } from "node:worker_threads";
import { loadModel } from "bonmf";

const SAMPLES = 20_000;
const FEATURES = 16;
const data = makeBlobs();

const worker = new Worker(new URL("fit.js", import.meta.url));
const ticks = setInterval(() => {}, 10); // the main thread goes on with its own work
process.once("SIGINT", () => worker.postMessage({ type: "stop" }));

const model = await new Promise((resolve, reject) => {
  worker.on("error", reject);
  worker.on("message", ({ type, iteration, changed, message, model }) => {
    if (type === "step") console.log(`iteration ${iteration}: ${changed} samples changed cluster`);
    if (type === "done") resolve(loadModel(model));
    if (type === "failed") reject(new Error(message));
  });
  // The buffer moves to the worker; nothing is copied.
  const options = { k: 4, method: "kmeans", init: "plusplus", seed: 3 };
  worker.postMessage({ type: "fit", samples: SAMPLES, features: FEATURES, data, options }, [data.buffer]);
});

clearInterval(ticks);
console.log(`done: clusters of ${[...model.counts].sort((a, b) => b - a).join(", ")} samples`);

/** Four clusters of different sizes around different centres. */
function makeBlobs() {
  const shares = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3];
  const values = new Float32Array(SAMPLES * FEATURES);
  for (let i = 0; i < SAMPLES; i++) {
    for (let f = 0; f < FEATURES; f++) values[i * FEATURES + f] = (f % 4 === shares[i % 10] ? 8 : 1) + Math.random();
  }
  return values;
}
