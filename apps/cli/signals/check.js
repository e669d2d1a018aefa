// Every long job obeys a signal within a second. Each job runs once undisturbed, to see when its event loop stands still, and then
// again and again, with a signal at those moments and at others between the beginning and the end.
//
// node apps/cli/signals/check.js [--only TEXT] [--part 1/3] [--moments 4] [--seconds 8] [--limit 1] [--keep FOLDER]
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { finishChecks, report } from "../../../scripts/checks.js";
import { makeFile, removeFile } from "./data.js";
import { JOBS, PREPARE } from "./jobs.js";
import { readAllWaiting } from "./waiting.js";

const BINARY = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const PRELOAD = new URL("./blocked.js", import.meta.url).href;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    part: { type: "string", default: "1/1" },
    moments: { type: "string", default: "4" },
    /** Seconds. One is the promise; what a busy machine adds is taken off, but not all of it is known. */
    limit: { type: "string", default: "1" },
    /** Jobs that take longer are disturbed in the first part of them. */
    seconds: { type: "string", default: "8" },
    keep: { type: "string" },
  },
});
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "signals-"));
const cwd = join(folder, "data");
const scratch = join(folder, "scratch");
for (const path of [cwd, scratch]) mkdirSync(path, { recursive: true });
const [part, parts] = values.part.split("/").map(Number);
const jobs = JOBS.filter(({ name }, i) => name.includes(values.only) && i % parts === part - 1);
if (jobs.length === 0) throw new Error(`there is no job ${values.only}: ${JOBS.map(({ name }) => name).join(", ")}`);

let sent = 0;
let slowest = { delay: 0, what: "none" };
try {
  for (const [i, job] of jobs.entries()) {
    await disturb(job);
    if (values.keep !== undefined) continue;
    const later = new Set(jobs.slice(i + 1).flatMap(({ files }) => files));
    for (const file of job.files) if (!later.has(file)) removeFile(cwd, file);
  }
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
console.log(`${sent} signals; the slowest answer took ${Math.round(slowest.delay)} ms: ${slowest.what}`);
finishChecks();

async function disturb(job) {
  for (const file of job.files) await makeFile(cwd, file);
  for (const { name: file, line } of PREPARE) {
    if (job.line.includes(file) && !existsSync(join(cwd, file))) await runJob(line);
  }
  const blocked = join(folder, "blocked");
  rmSync(blocked, { force: true });
  const whole = await runJob(job.line, {
    at: 1000 * Number(values.seconds),
    signal: "SIGKILL",
    env: { BONMF_BLOCKED: blocked },
  });
  const problems =
    whole.code !== 0 && whole.code !== null ? [`undisturbed, it ends with ${whole.code}: ${whole.stderr}`] : [];
  const pauses = (existsSync(blocked) ? readFileSync(blocked, "utf8").trim().split("\n") : [])
    .map((text) => text.split(" ").map(Number))
    .sort((a, b) => b[1] - a[1]);
  const count = Number(values.moments);
  const moments = [
    ...pauses.slice(0, Math.ceil(count / 2)).map(([at]) => at + 20),
    ...Array.from({ length: count }, (_, i) => (whole.ms * (i + 0.5)) / count),
  ];
  const delays = [];
  for (const [i, at] of problems.length > 0 ? [] : moments.entries()) {
    const signal = SIGNALS[i % SIGNALS.length];
    const { code, delay, stderr } = await runJob(job.line, { at, signal });
    if (delay === null) continue;
    sent++;
    delays.push(delay);
    const what = `${job.name}, ${signal} after ${Math.round(at)} ms`;
    if (delay > slowest.delay) slowest = { delay, what };
    if (delay > 1000 * Number(values.limit)) problems.push(`${what}: it ended ${Math.round(delay)} ms later`);
    if (code !== 128 + constants.signals[signal] && code !== 0)
      problems.push(`${what}: it ended with ${code}: ${stderr}`);
    const left = [
      ...readdirSync(scratch).filter((name) => name !== "bonmf"),
      ...readdirSync(cwd).filter((name) => name.endsWith(".part")),
    ];
    if (left.length > 0) problems.push(`${what}: left behind: ${left.join(", ")}`);
    clear();
  }
  const most = Math.round(Math.max(0, ...delays));
  const stood = pauses[0] ? `, stands still for ${pauses[0][1]} ms at most` : "";
  report(
    `${job.name}: ${delays.length} signals, ${most} ms at most (${(whole.ms / 1000).toFixed(1)} s${stood})`,
    problems,
  );
}

function clear() {
  for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { recursive: true, force: true });
  for (const name of readdirSync(cwd)) if (/^out\b|\.part$/.test(name)) rmSync(join(cwd, name), { force: true });
}

/** Runs a command, sends it a signal where one is given, and tells how long it took to end then; null where it was over. */
function runJob(line, { at, signal, env } = {}) {
  const child = spawn(process.execPath, [BINARY, ...line], {
    cwd,
    env: {
      ...process.env,
      TMPDIR: scratch,
      XDG_CACHE_HOME: scratch,
      NO_COLOR: "1",
      ...env,
      ...(env && { NODE_OPTIONS: `--import ${PRELOAD}` }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const start = performance.now();
  let told = null;
  // What a busy machine adds to the answer is not the command's.
  let waited = 0;
  let watch;
  const timer =
    signal &&
    setTimeout(() => {
      const before = readAllWaiting(child.pid);
      told = performance.now();
      child.kill(signal);
      watch = setInterval(() => {
        for (const [thread, time] of readAllWaiting(child.pid)) {
          waited = Math.max(waited, time - (before.get(thread) ?? 0));
        }
      }, 5);
    }, at);
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      clearTimeout(timer);
      clearInterval(watch);
      const now = performance.now();
      if (signal === undefined || signal === "SIGKILL") clear();
      resolve({ code, stderr, ms: now - start, delay: told === null ? null : now - told - waited });
    });
  });
}
