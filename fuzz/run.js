// Fuzzes readers: node fuzz/run.js [TARGET …] [--seconds 20] [--seed 1] [--jobs 2] [--keep]. See fuzz/README.md.
import { fork } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { finishChecks, report } from "../scripts/checks.js";
import { buildKernels } from "../scripts/kernels.js";
import { bundle, listTargets } from "./bundle.js";
import { toText } from "./corpus.js";
import { keepInputs } from "./keep.js";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Of this run; under node_modules, so that the bundle finds packages. */
const folder = join(root, `node_modules/.cache/bonmf-fuzz/${process.pid}`);
const found = join(root, "out/fuzz");
/** Without another input for so long, the reader hangs. */
const HANG_MS = 180_000;
const HEAP_MB = 1024;
const LONGEST_SHOWN = 2000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "20" },
    runs: { type: "string", default: "Infinity" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    jobs: { type: "string", default: "2" },
    input: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const targets = positionals.length > 0 ? positionals : listTargets();
const unknown = targets.find((name) => !listTargets().includes(name));
if (unknown) throw new Error(`there is no target ${unknown}: choose from ${listTargets().join(", ")}`);

await buildKernels();
mkdirSync(folder, { recursive: true });
mkdirSync(found, { recursive: true });
const { branches, tokens } = await bundle(folder);
const setting = { folder, branches, tokens };
console.log(`${targets.length} targets, ${branches} branches, seed ${values.seed}`);

const queue = [...targets];
/** Inputs of each target that reach something. */
const reached = new Map();
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
// One after the other: counters are the process's.
if (values.keep) for (const [name, corpus] of reached) await keepInputs(setting, name, corpus);
rmSync(folder, { recursive: true, force: true });
finishChecks();

async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) await fuzz(name);
}

async function fuzz(name) {
  const end = performance.now() + 1000 * Number(values.seconds);
  const faults = [];
  let total = 0;
  let last;
  // A process that hangs or dies is a fault; what is left of the time goes to another one.
  for (let seed = Number(values.seed), again = true; again; seed++) {
    const seconds = Math.max(0, (end - performance.now()) / 1000);
    const runs = values.input === undefined ? Number(values.runs) : 0;
    const part = await fuzzOnce({ ...setting, name, seed, seconds, runs, input: values.input });
    faults.push(...part.faults);
    total += part.runs;
    last = part.done ?? last;
    again = part.done === undefined && part.runs > 0 && performance.now() < end && faults.length < 3;
  }
  if (last) reached.set(name, last.corpus);
  const summary = last ? `${last.features} branches, ${last.initial} by the kept inputs` : "";
  report(
    `${name}: ${total} inputs, ${summary}`,
    faults.flatMap((fault, i) => describe(name, fault, i)),
  );
}

/** @returns its faults; `done` is undefined where the process did not end by itself */
async function fuzzOnce(task) {
  const current = join(folder, `${task.name}.current`);
  const faults = [];
  let done;
  // Infinity is no JSON.
  const argument = JSON.stringify({ ...task, current, runs: Math.min(task.runs, Number.MAX_SAFE_INTEGER) });
  const child = fork(join(root, "fuzz/child.js"), [argument], { execArgv: [`--max-old-space-size=${HEAP_MB}`] });
  child.on("message", (message) => {
    if (message.fault) faults.push(message.fault);
    else done = message;
  });
  let before = -1;
  const watch = setInterval(() => {
    const { run } = readCurrent(current);
    if (run === before) child.kill("SIGKILL");
    before = run;
  }, HANG_MS);
  const [code, signal] = await new Promise((resolve) => child.on("exit", (...how) => resolve(how)));
  clearInterval(watch);
  const { run, bytes } = readCurrent(current);
  if (done === undefined) {
    const text = signal === "SIGKILL" ? "it hangs" : `the process ends with ${signal ?? code}: see above`;
    faults.push({ kind: "end", text, bytes });
  }
  return { faults, done, runs: done?.runs ?? run };
}

/** What the process tries, or tried last. */
function readCurrent(path) {
  const file = readFileSync(path);
  if (file.length < 8) return { run: 0, bytes: "" };
  return { run: file.readUInt32LE(0), bytes: file.toString("hex", 8, 8 + file.readUInt32LE(4)) };
}

function describe(name, { text, bytes: hex }, i) {
  const bytes = Buffer.from(hex, "hex");
  const path = join(found, `${name}-${i + 1}.bin`);
  writeFileSync(path, bytes);
  const shown = bytes.length > LONGEST_SHOWN ? `${bytes.length} bytes` : `${toText(bytes)}\nhex ${hex}`;
  return `${text}\n${shown}\nnode fuzz/run.js ${name} --input ${path.slice(root.length)}`.split("\n");
}
