import { loadMatrix } from "../data/catalog.js";
import { readArray, writeArray } from "../data/files.js";
import { loadInternal } from "../internals.js";
import { Dense, fit, resume, Sparse } from "../library.js";
import { loadNeighbors } from "./neighbors.js";
import { serve, time, writeLabels } from "./serve.js";

await serve({
  fit: loadFit,
  nmf: loadNmf,
  descent: loadDescent,
  neighbors: loadNeighbors,
  restarts: loadRestarts,
  growth: loadGrowth,
  copy: loadCopy,
  tile: loadTile,
});

/** From plain arrays to labels. */
function loadFit({ set, start, k, out, options }) {
  const arrays = loadMatrix(set);
  const init = loadStart(start, k);
  return async () => {
    const { seconds, result } = await time(() => fit(wrap(arrays), { k, init, ...options }));
    writeLabels(out, result.labels);
    return {
      seconds,
      iterations: result.iterations,
      stopped: result.stopped,
      repairs: result.repairs,
      kernel: result.kernel,
    };
  };
}

/** All go on from the factors that one iteration of ours leaves, which are written for the others. */
async function loadNmf({ set, start, k, factors, options }) {
  const X = loadMatrix(set);
  const first = await fit(X, {
    k,
    method: "nmf",
    init: loadStart(start, k),
    tolerance: 0,
    maxIterations: 1,
    ...options,
  });
  writeArray(`${factors}.W`, Float32Array.from(first.W.data));
  writeArray(`${factors}.H`, Float32Array.from(first.H.data));
  return async ({ iterations }) => {
    const more = { maxIterations: 1 + iterations, tolerance: 0, ...options };
    const { seconds, result } = await time(() => resume(first, wrap(X), more));
    return { seconds, iterations, objective: result.potential };
  };
}

/** How the error falls with time, from plain arrays and given prototypes. The labels are those of a fit that ends there. */
async function loadDescent({ set, W, k, out, options }) {
  const X = loadMatrix(set);
  const init = loadStart(W, k);
  const settings = { k, init, tolerance: 0, maxIterations: 100_000, ...options };
  // What is compiled at first is not part of it; the peers are compiled already.
  await fit(wrap(X), { ...settings, maxIterations: 3 });
  const warm = new AbortController();
  const until = performance.now() + 1000;
  const onWarmStep = () => performance.now() > until && warm.abort();
  await fit(wrap(X), { ...settings, maxIterations: 100, signal: warm.signal, onStep: onWarmStep }).catch(() => {});
  return async ({ target, limit }) => {
    const trace = [];
    const stop = new AbortController();
    const began = performance.now();
    const usage = process.cpuUsage();
    const onStep = ({ relativeError }) => {
      const { user, system } = process.cpuUsage(usage);
      const cpu = (user + system) / 1e6;
      trace.push([relativeError, (performance.now() - began) / 1000, cpu]);
      if (relativeError <= target || cpu > limit) stop.abort();
    };
    const { model } = await fit(wrap(X), { ...settings, signal: stop.signal, onStep }).catch((error) => {
      if (error.code !== "aborted") throw error;
      return error;
    });
    if (model) writeLabels(out, model.labels);
    return { trace };
  };
}

/** One fit with restarts, or the same runs as one fit each. */
async function loadRestarts({ set, k, restarts, together }) {
  const { deriveSeed } = await loadInternal("random.ts");
  const X = loadMatrix(set);
  return async () => {
    let iterations = 0;
    const fits = together ? [{ restarts }] : Array.from({ length: restarts }, (_, r) => ({ seed: deriveSeed(0, r) }));
    const { seconds } = await time(async () => {
      for (const options of fits) iterations += (await fit(wrap(X), { k, init: "sample", ...options })).iterations;
    });
    return { seconds, iterations: together ? undefined : iterations };
  };
}

/** A fixed number of iterations on the first samples and features of a set, from its first prototypes. */
function loadGrowth({ set, start, samples, features, k, options }) {
  const X = crop(loadMatrix(set), samples, features);
  const init = crop(loadStart(start, undefined, set.features), k, features);
  return async () => {
    const { seconds, result } = await time(() => fit(wrap(X), { k, init, ...options }));
    return { seconds, iterations: result.iterations };
  };
}

/** The bandwidth of one thread, reading and writing. */
function loadCopy({ bytes }) {
  const from = new Float32Array(bytes / 4).fill(1);
  const to = new Float32Array(bytes / 4).fill(2);
  return async () => {
    const { seconds } = await time(() => to.set(from));
    return { seconds, rate: (2 * bytes) / seconds / 1e9, unit: "GB/s" };
  };
}

/** What the inner loop does when nothing has to be waited for: samples and one panel of prototypes in the cache. */
async function loadTile({ samples, features }) {
  const { makeRegion } = await loadInternal("engine/memory/regions.ts");
  const region = await makeRegion(4 * samples * features + 2 ** 20);
  const room = (bytes) => region.reserve(bytes);
  const [X, panel, out] = [4 * samples * features, 48 * features, 48 * samples].map(room);
  region.f32(X, samples * features).fill(1.5);
  region.f32(panel, 12 * features).fill(0.5);
  const turns = 2000;
  return async () => {
    const { seconds } = await time(() => {
      for (let turn = 0; turn < turns; turn++) {
        region.kernel.dotPanelsDense32(X, features, samples, panel, 1, out);
      }
    });
    return { seconds, rate: (24 * samples * features * turns) / seconds / 1e9, unit: "GFLOP/s" };
  };
}

/** The library sees nothing but the caller's arrays: wrapping them is part of the run. */
function wrap({ kind, samples, features, data, offsets, indices, values }) {
  return kind === "dense"
    ? new Dense(samples, features, data)
    : new Sparse(samples, features, offsets, indices, values);
}

function loadStart(path, k, features) {
  const W = readArray(path);
  return k === undefined ? new Dense(W.length / features, features, W) : new Dense(k, W.length / k, W);
}

function crop(X, samples, features) {
  const out = new Float32Array(samples * features);
  for (let i = 0; i < samples; i++) out.set(X.row(i).subarray(0, features), i * features);
  return new Dense(samples, features, out);
}
