// Fits of one job on one number of threads: the first, which starts them, timed ones, and one under the profiler.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeLabels } from "../contestants/serve.js";
import { loadMatrix } from "../data/catalog.js";
import { readArray } from "../data/files.js";
import { nameKernels } from "../kernel-names.js";
import { Dense, fit, folder } from "../library.js";
import { median } from "../report/ratios.js";
import { splitProfile } from "./purposes.js";

/** Lets the threads of the fit before come to rest. */
const PAUSE_MS = 50;
/** Slower fits are timed once. */
const SLOW_MS = 2500;

const { set, start, k, most, method, threads, repeats, out } = JSON.parse(process.argv[2]);
const X = loadMatrix(set);
const W = readArray(start);
const init = new Dense(k, W.length / k, W);

const first = await runOnce();
const timed = [];
for (let run = 0; run < (first.ms > SLOW_MS ? 1 : repeats); run++) timed.push(await runOnce());
writeLabels(out, first.model.labels);
const report = {
  cold: first.ms,
  times: timed.map(({ ms }) => ms),
  first: median(timed.map(({ sweeps }) => sweeps[0])),
  early: median(timed.map(({ sweeps }) => third(sweeps, 0))),
  late: median(timed.map(({ sweeps }) => third(sweeps, 2))),
  busy: median(timed.map(({ busy }) => busy.reduce((sum, ms) => sum + ms, 0))),
  uneven: median(timed.map(({ busy }) => (busy.length * Math.max(...busy)) / busy.reduce((sum, ms) => sum + ms, 0))),
  iterations: first.model.iterations,
  kernel: first.model.kernel,
  digest: digestOf(first.model),
  profile: await profileOne(),
};
console.log(JSON.stringify(report));
process.exit();

/** From plain arrays to labels. */
async function runOnce() {
  await sleep(PAUSE_MS);
  const ends = [];
  const before = readThreads();
  const began = performance.now();
  const model = await fit(new Dense(X.samples, X.features, X.data), {
    ...{ k, init, method, threads, maxIterations: most, tolerance: 0 },
    onStep: () => void ends.push(performance.now()),
  });
  const ms = performance.now() - began;
  // The threads that computed: the busiest ones, since those of the compiler and the collector are not told apart.
  const spent = [...readThreads()].map(([id, ns]) => (ns - (before.get(id) ?? 0)) / 1e6);
  const busy = spent.sort((a, b) => b - a).slice(0, threads);
  return { model, ms, busy, sweeps: ends.map((end, i) => end - (i === 0 ? began : ends[i - 1])) };
}

/** Nanoseconds of processor time by thread; none where the system does not tell them. */
function readThreads() {
  const tasks = "/proc/self/task";
  try {
    const read = (id) => [id, Number(readFileSync(`${tasks}/${id}/schedstat`, "utf8").split(" ")[0])];
    return new Map(readdirSync(tasks).map(read));
  } catch {
    return new Map();
  }
}

/** The mean of a third of the sweeps, the first one left out. */
function third([, ...sweeps], which) {
  const part = sweeps.slice(Math.floor((which * sweeps.length) / 3), Math.ceil(((which + 1) * sweeps.length) / 3));
  return part.reduce((sum, ms) => sum + ms, 0) / part.length;
}

function digestOf({ labels, W, history }) {
  const hash = createHash("sha256").update(labels).update(W.data).update(JSON.stringify(history));
  return hash.digest("hex");
}

async function profileOne() {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  const { ms } = await runOnce();
  const { profile } = await session.post("Profiler.stop");
  return { ms, ...splitProfile(profile, namesOfKernels()) };
}

/** What the kernels' functions are called: they lie in the library's files as base64. */
function namesOfKernels() {
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const found = files.map((name) => /shared:\s*"(AGFzbQ[^"]*)"/.exec(readFileSync(join(folder, name), "utf8")));
  const text = found.find((match) => match !== null)?.[1];
  return text === undefined ? new Map() : nameKernels(Buffer.from(text, "base64"));
}
