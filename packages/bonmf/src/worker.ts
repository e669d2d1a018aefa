/** The script of worker threads: engines, and whole runs on them. */
import { serve } from "./engine/worker.js";
import { performRun } from "./factor/run.js";
import type { Task } from "./model/restarts.js";

serve((engine, task, signal, report) => {
  const { settings, seed, watched } = task as Task;
  return performRun(engine, { settings, signal }, seed, watched ? report : null);
});
