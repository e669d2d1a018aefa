// Runs one scenario in this process, again and again, and lets each of its calls fail in turn. What it finds goes to its parent.
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { prepareRun } from "../dist/run.js";
import { environmentOf, findLeft, judgeOutputs, makePlace, readOutput, resetPlace } from "./place.js";
import { SCENARIOS } from "./scenarios.js";
import { forgetPlaces, installShim, listen } from "./shim.js";

const CODES = ["ENOSPC", "EIO", "EACCES", "EMFILE"];
const HANGS_MS = 120_000;
/** Calls that clean up: where one fails, something may be left, which the next process sweeps. */
const CLEANING = ["rm", "unlink", "rmdir"];

/** Runs a command as the program's main module does, in this process. */
async function runHere(place, line, input = "") {
  const text = { stdout: "", stderr: "" };
  const { argv } = process;
  process.argv = [process.execPath, "bonmf", ...line];
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  Object.assign(process.env, environmentOf(place));
  process.chdir(place.cwd);
  const stop = new AbortController();
  const streams = {
    stdout: { write: (part) => (text.stdout += part) },
    stderr: { write: (part) => (text.stderr += part) },
    env: process.env,
  };
  const run = prepareRun(line, streams, { signal: stop.signal, code: 0 });
  let timer;
  const code = await new Promise((resolve) => {
    const fail = (error) => void run.fail(error).then(resolve);
    process.removeAllListeners("uncaughtException").on("uncaughtException", fail);
    timer = setTimeout(() => resolve(null), HANGS_MS);
    void run.start().then(resolve);
  });
  clearTimeout(timer);
  process.argv = argv;
  return { code, ...text };
}

function judge(place, scenario, expected, { code, stderr }, kind) {
  const problems = judgeOutputs(place, scenario, expected, code);
  if (code === null) problems.push("it hangs");
  else if (code !== 0 && code !== 1) problems.push(`exit code ${code}`);
  if (/bug in bonmf|\bat .*\.js:\d+/.test(stderr)) problems.push("the message is no sentence");
  if (code === 1 && !/^error: /m.test(stderr)) problems.push("there is no message");
  const left = CLEANING.includes(kind) ? [] : findLeft(place);
  if (left.length > 0) problems.push(`left behind: ${left.join(", ")}`);
  return problems.length === 0 ? [] : [...problems, ...stderr.trim().split("\n")];
}

/** All calls of an undisturbed run. */
async function record(place, scenario) {
  const log = join(place.folder, "calls");
  rmSync(log, { force: true });
  const calls = [];
  forgetPlaces();
  if (scenario.pack) process.env.BONMF_FAULT = JSON.stringify({ of: "pack", log });
  else listen((call) => void calls.push(call));
  const { code, stderr } = await runHere(place, scenario.line, scenario.input);
  listen(() => undefined);
  delete process.env.BONMF_FAULT;
  if (code !== 0) throw new Error(`undisturbed, ${scenario.name} ends with ${code}: ${stderr}`);
  if (!scenario.pack) return calls;
  return readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns the call that was disturbed: another than in the undisturbed run where a cache was filled meanwhile. */
function disturb(scenario, calls, at, code) {
  let count = 0;
  const disturbed = { call: scenario.pack ? calls[at] : null };
  if (scenario.pack) process.env.BONMF_FAULT = JSON.stringify({ of: "pack", at: at + 1, how: code });
  listen((call) => {
    if (scenario.pack || count++ !== at) return undefined;
    disturbed.call = call;
    return code;
  });
  return disturbed;
}

function restore() {
  listen(() => undefined);
  delete process.env.BONMF_FAULT;
  forgetPlaces();
}

async function runNext(place, scenario, expected) {
  const { code, stderr } = await runHere(place, scenario.line, scenario.input);
  const problems = judgeOutputs(place, scenario, expected, code);
  if (code !== 0) problems.push(`exit code ${code}: ${stderr}`);
  return problems.map((problem) => `the next run: ${problem}`);
}

async function sweep(scenario, { part, parts }, tell) {
  const place = makePlace();
  try {
    if (scenario.pack) process.env.NODE_OPTIONS = `--import ${new URL("./preload.js", import.meta.url).href}`;
    for (const line of scenario.before ?? []) {
      const { code, stderr } = await runHere(place, line);
      if (code !== 0) throw new Error(`before ${scenario.name}: ${stderr}`);
    }
    // The first run loads modules and sweeps folders; the others do not.
    await record(place, scenario);
    resetPlace(place, scenario);
    const calls = await record(place, scenario);
    const expected = new Map(scenario.outputs.map((name) => [name, readOutput(place, name)]));
    for (let i = part; i < calls.length; i += parts) {
      resetPlace(place, scenario);
      const code = CODES[i % CODES.length];
      forgetPlaces();
      const fault = disturb(scenario, calls, i, code);
      const disturbed = await runHere(place, scenario.line, scenario.input);
      restore();
      const { kind, path } = fault.call ?? { kind: "none", path: null };
      const problems = judge(place, scenario, expected, disturbed, kind);
      // Nothing but the cache outlives a run, and the last one shows whether this process has kept something.
      const next = scenario.cached || i + parts >= calls.length ? await runNext(place, scenario, expected) : [];
      const title = `${scenario.name}, call ${i + 1} of ${calls.length}: ${kind} ${path ?? ""} ${code}`;
      tell({
        title,
        problems: [...problems, ...next],
        code: disturbed.code,
      });
    }
  } finally {
    process.chdir(tmpdir());
    rmSync(place.folder, { recursive: true, force: true });
  }
}

const scenario = SCENARIOS.find(({ name }) => name === process.argv[2]);
const [part, parts] = process.argv.slice(3, 5).map(Number);
await installShim({ allocations: !scenario.pack });
try {
  await sweep(scenario, { part, parts }, (found) => process.send(found));
  process.disconnect();
  process.exitCode = 0;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
process.exit();
