// Peers from npm. They take nested arrays; making those is not timed.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadMatrix } from "../data/catalog.js";
import { CACHE, readArray } from "../data/files.js";
import { loadGraph } from "./neighbors.js";
import { serve, time, writeLabels } from "./serve.js";

const require = createRequire(join(CACHE, "package.json"));
/** Both NMFs divide 0 by 0 where a feature is 0 throughout: they get this instead of 0. */
const TRACE = 1e-6;
const load = (name) => import(pathToFileURL(require.resolve(name)));

await serve({ kmeans: loadKmeans, graph: loadGraph, mokolo: loadMokolo, browser: loadBrowser });

async function loadKmeans({ set, start, k, out, options }) {
  const { kmeans } = await load("ml-kmeans");
  const data = nest(loadMatrix(set));
  const W = readArray(start);
  const m = W.length / k;
  const initialization = Array.from({ length: k }, (_, j) => [...W.subarray(j * m, (j + 1) * m)]);
  return async () => {
    const { seconds, result } = await time(() => kmeans(data, k, { initialization, tolerance: 0, ...options }));
    writeLabels(out, result.clusters);
    return { seconds, iterations: result.iterations };
  };
}

/** Lee and Seung's rule from a random start of its own, on sylvester's matrices. */
async function loadMokolo({ set, k }) {
  const { default: mokolo } = await load("mokolo");
  const { Matrix } = require("sylvester");
  const matrix = Matrix.create(nest(loadMatrix(set), TRACE));
  return async ({ iterations }) => {
    const options = { matrix, features: k, precision: 0, iterations };
    let count = 0;
    const { seconds } = await time(() =>
      new mokolo.NMF().factorize(options, (_W, _H, _WH, _cost, i) => {
        count = i - 1; // it notices that it is done in the round after the last
      }),
    );
    if (count !== iterations) throw new Error(`it stopped after ${count} of ${iterations} iterations`);
    return { seconds, iterations };
  };
}

/** The divergence rule from a random start of its own. */
async function loadBrowser({ set, k }) {
  const { default: NMF } = await load("@ai-on-browser/data-analysis-models/lib/model/nmf");
  const rows = nest(loadMatrix(set), TRACE);
  return async ({ iterations }) => {
    const { seconds } = await time(() => {
      const nmf = new NMF();
      nmf.init(rows, k);
      for (let i = 0; i < iterations; i++) nmf.fit();
    });
    return { seconds, iterations };
  };
}

function nest(X, least = 0) {
  return Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i), (value) => Math.max(least, value)));
}
