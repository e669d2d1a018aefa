/** The script of worker threads: an engine, and whole runs on it. */
import { serve } from "./engine/worker/loop.js";
import { runTask, type Task } from "./model/restarts.js";

serve((engine, task, signal, report) => runTask(engine, task as Task, signal, report));
