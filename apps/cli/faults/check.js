// Fault injection: every call of the file system, every child process and thread, and every place that allocates fails in turn, in
// each command. After each fault there is a whole result or a clear error, no half-written file, and the next run is right. Then
// the same with kill -9 at every call that writes.
//
// node apps/cli/faults/check.js [--only NAME] [--part 1/20] [--faults | --kills] [--verbose]
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { finishChecks, report } from "../../../scripts/checks.js";
import { SCENARIOS } from "./scenarios.js";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    part: { type: "string", default: "1/1" },
    faults: { type: "boolean", default: false },
    kills: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});
const [part, parts] = values.part.split("/").map(Number);
const both = values.faults === values.kills;
const chosen = SCENARIOS.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0)
  throw new Error(`there is no scenario ${values.only}: ${SCENARIOS.map(({ name }) => name).join(", ")}`);

const jobs = [];
for (const { name, kill } of chosen) {
  if (both || values.faults) jobs.push({ script: "./sweep.js", name });
  if (kill && (both || values.kills)) jobs.push({ script: "./kills.js", name });
}
const tally = new Map();
await Promise.all(Array.from({ length: Math.max(1, Math.min(4, availableParallelism())) }, work));
for (const [title, { whole, clear, failed }] of tally) {
  report(`${title}: ${whole} whole results, ${clear} clear errors`, failed);
}
const tried = [...tally.values()].reduce((sum, { whole, clear }) => sum + whole + clear, 0);
console.log(`${tried} faults and kills without harm`);
finishChecks();

async function work() {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await runJob(job);
}

function runJob({ script, name }) {
  const counts = { whole: 0, clear: 0, failed: [] };
  const child = fork(new URL(script, import.meta.url), [name, String(part - 1), String(parts)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("message", ({ title, problems, code }) => {
    if (values.verbose) console.log(title, code);
    if (problems.length > 0) report(title, problems);
    else counts[code === 0 ? "whole" : "clear"]++;
  });
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      if (counts.whole + counts.clear === 0 && parts === 1) counts.failed.push("nothing was disturbed");
      if (code !== 0) counts.failed.push(`${script} ended with ${signal ?? code}`);
      tally.set(`${name}${script === "./kills.js" ? ", killed" : ""}`, counts);
      resolve();
    });
  });
}
