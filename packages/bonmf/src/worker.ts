/** The script of worker threads: engines, and whole runs on them. */
import { serve } from "./engine/worker/loop.js";
import { labour, type Task } from "./model/restarts.js";

serve((engine, task, signal, report) => labour(engine, task as Task, signal, report));
