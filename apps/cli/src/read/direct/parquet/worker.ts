import { parentPort } from "node:worker_threads";
import { fillTasks } from "./fill.js";
import type { Job } from "./job.js";

parentPort?.once("message", (job: Job) => {
  for (const done of fillTasks(job)) if (done) parentPort?.postMessage(done);
});
