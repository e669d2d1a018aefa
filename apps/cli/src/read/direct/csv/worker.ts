import { parentPort } from "node:worker_threads";
import { parseBlocks } from "./blocks.js";
import type { Job } from "./job.js";

parentPort?.once("message", (job: Job) => {
  for (const done of parseBlocks(job)) if (done) parentPort?.postMessage(done);
});
