import { parentPort } from "node:worker_threads";
import type { ReadOptions } from "./data.js";
import { TASKS, type Task, type TaskName } from "./tasks.js";
import { sendResult, type ThreadMessage, type ThreadRequest } from "./thread.js";
import { sendError } from "./thread-error.js";

/** Does what it is asked for, once. */
parentPort?.once("message", ({ name, request, options }: ThreadRequest<TaskName>) => {
  const say = (message: ThreadMessage, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);
  const onProgress: ReadOptions["onProgress"] = (...progress) => say({ progress });
  const task = TASKS[name] as (request: unknown, options: object) => ReturnType<Task<TaskName>>;
  task(request, { ...options, onProgress }).then(
    (result) => say(...sendResult(result)),
    (error) => say({ error: sendError(error) }),
  );
});
