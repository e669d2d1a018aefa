// Node's --import of a command under test. BONMF_FAULT is JSON: { of, at, how } disturbs call number `at` of a process, "main"
// or "pack" (the one that packs samples): how is the code of an error, or "kill", which counts calls that write only. With
// { of, log } the calls are written to a file instead, a line each.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { installShim, listen } from "./shim.js";

const { of, at, how, log } = JSON.parse(process.env.BONMF_FAULT ?? "{}");
const role = process.argv[1]?.endsWith("pack-worker.js") ? "pack" : "main";
if (isMainThread && of === role) {
  // Where the process is killed, only calls that write count.
  await installShim({ allocations: of === "pack" && how !== "kill" });
  const calls = [];
  let count = 0;
  listen((call) => {
    calls.push(call);
    if (how === "kill") {
      if (call.writes && ++count === at) process.kill(process.pid, "SIGKILL");
    } else if (++count === at) return how;
    return undefined;
  });
  process.on("exit", () => {
    listen(() => undefined);
    if (log !== undefined) writeFileSync(log, calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  });
}
