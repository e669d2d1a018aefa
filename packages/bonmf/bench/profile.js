// Where the time of a fit goes, on one thread: node packages/bonmf/bench/profile.js digits60k 10 [kmeans [ITERATIONS]]
// The sets are those of the benchmark, which makes them (run.js --only kmeans/SET-kK).
import { Session } from "node:inspector/promises";
import { Dense, fit, Sparse } from "../dist/bonmf.js";
import { loadMatrix, prepareSet, prepareStart } from "./data/catalog.js";
import { readArray } from "./data/files.js";
import { loadInternal } from "./internals.js";
import { nameKernels } from "./kernel-names.js";

const [name = "digits60k", clusters = "10", method = "kmeans", most] = process.argv.slice(2);
const k = Number(clusters);
const header = prepareSet(name);
if (header === null) throw new Error(`the data of ${name} is missing: BONMF_DATA_DIR names the folder`);
const { kind, samples, features, data, offsets, indices, values } = loadMatrix(header);
const init = new Dense(k, features, readArray(prepareStart(header, k)));
const { MODULES } = await loadInternal("kernel/module.ts");
let products = 0;

const wrap = () =>
  kind === "dense" ? new Dense(samples, features, data) : new Sparse(samples, features, offsets, indices, values);
const run = () =>
  fit(wrap(), {
    k,
    method,
    init,
    threads: 1,
    ...(most ? { maxIterations: Number(most), tolerance: 0 } : {}),
    onStep: (step) => {
      products += step.products;
    },
  });
await run();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.start");
products = 0;
const begin = performance.now();
const { iterations, kernel } = await run();
const total = performance.now() - begin;
const { profile } = await session.post("Profiler.stop");

console.log(
  `${name}, ${method}, k = ${k}, ${kernel}: ${iterations} iterations in ${total.toFixed(0)} ms on one thread`,
);
const share = products / (iterations * samples * k);
console.log(`${(100 * share).toFixed(1)} % of the products of samples and prototypes were computed\n`);
const times = [...sumTimes(profile)].sort((a, b) => b[1] - a[1]).filter(([, ms]) => ms > 0.01 * total);
for (const [what, ms] of times) console.log(`${((100 * ms) / total).toFixed(1).padStart(5)} %  ${what}`);

/** Milliseconds by function; kernels by the names they are exported under. */
function sumTimes({ nodes, samples: seen, timeDeltas }) {
  const kernels = nameKernels(Buffer.from(MODULES.shared, "base64"));
  const nameOf = ({ functionName, url, lineNumber }) => {
    const index = /^wasm-function\[(\d+)\]$/.exec(functionName)?.[1];
    if (index !== undefined) return `kernel ${kernels.get(Number(index)) ?? index}`;
    return url ? `${functionName || "anonymous"} (${url.split("/").at(-1)}:${lineNumber + 1})` : functionName;
  };
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const sums = new Map();
  seen.forEach((id, i) => {
    sums.set(names.get(id), (sums.get(names.get(id)) ?? 0) + timeDeltas[i] / 1000);
  });
  return sums;
}
