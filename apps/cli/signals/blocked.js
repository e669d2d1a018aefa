// Node's --import of a command under test: writes when its event loop stood still, and for how long, to the file BONMF_BLOCKED.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { readWaiting } from "./waiting.js";

const LONG_MS = 100;
const file = process.env.BONMF_BLOCKED;
if (isMainThread && file !== undefined && process.argv[1]?.endsWith("main.js")) {
  const look = () => ({ now: performance.now(), waited: readWaiting(process.pid) });
  let last = look();
  setInterval(() => {
    const next = look();
    const still = next.now - last.now - (next.waited - last.waited);
    if (still > LONG_MS) appendFileSync(file, `${Math.round(last.now)} ${Math.round(still)}\n`);
    last = next;
  }, 10).unref();
}
