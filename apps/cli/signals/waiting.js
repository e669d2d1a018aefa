import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds for which the main thread of a process was ready to run but had no processor; 0 where the system does not tell. */
export function readWaiting(pid) {
  return readSchedule(`/proc/${pid}`);
}

/** The same of each of its threads, by number; another may be what the main thread waits for. */
export function readAllWaiting(pid) {
  try {
    return new Map(
      readdirSync(`/proc/${pid}/task`).map((thread) => [thread, readSchedule(`/proc/${pid}/task/${thread}`)]),
    );
  } catch {
    return new Map();
  }
}

function readSchedule(folder) {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
