/** The script of worker threads: an engine, and whole runs on it; texts that are counted. */
import { serve } from "./engine/worker/loop.js";
import { type PackedTexts, unpackTexts } from "./io/packed-texts.js";
import { runTask, type Task } from "./model/restarts.js";
import { type CountTask, countPart } from "./text/count-part.js";

serve(
  (engine, task, signal, report) => runTask(engine, task as Task, signal, report),
  (task) => {
    const { texts, options } = task as CountTask<PackedTexts>;
    return countPart({ texts: unpackTexts(texts), options });
  },
);
