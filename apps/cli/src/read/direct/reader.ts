import { parentPort } from "node:worker_threads";
import { doBlocks } from "./blocks.js";
import type { Writing } from "./script.js";

parentPort?.once("message", (order: Writing) => {
  for (const done of doBlocks(order)) if (done) parentPort?.postMessage(done);
});
