import { readFileSync } from "node:fs";

/** Milliseconds for which the main thread of a process was ready to run but had no processor; 0 where the system does not tell. */
export function readWaiting(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
