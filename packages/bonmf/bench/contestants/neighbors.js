// The nearest training sample by angle: ours exactly or in some clusters, and hnswlib's graph.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadMatrix } from "../data/catalog.js";
import { CACHE, DATA, readArray } from "../data/files.js";
import { classifier, fit } from "../library.js";
import { time, writeLabels } from "./serve.js";

/** `predict` is timed; which neighbours decided is asked for once, outside the timing. */
export async function loadNeighbors({ train, test, k, out, probes }) {
  const X = loadMatrix(train);
  const Q = loadMatrix(test);
  const model = await fit(X, { k, seed: 1, maxIterations: 50 });
  const clf = await classifier(model, X, [...readArray(train.files.labels)], { scheme: "vote", neighbors: 1, probes });
  writeLabels(
    out,
    clf.explain(Q).map(({ neighbor }) => neighbor?.index ?? 0),
  );
  return async () => {
    const { seconds } = await time(() => clf.predict(Q));
    return { seconds };
  };
}

export function loadGraph({ train, test, out, width }) {
  const { HierarchicalNSW } = createRequire(join(CACHE, "package.json"))("hnswlib-node");
  const index = new HierarchicalNSW("ip", train.features);
  const path = join(DATA, `${train.name}.hnsw`);
  if (existsSync(path)) index.readIndexSync(path);
  else buildGraph(index, loadMatrix(train), path);
  index.setEf(width);
  const Q = Array.from({ length: test.samples }, unitRows(loadMatrix(test)));
  return async () => {
    const { seconds, result } = await time(() => Q.map((sample) => index.searchKnn(sample, 1).neighbors[0]));
    writeLabels(out, result);
    return { seconds };
  };
}

function buildGraph(index, X, path) {
  const row = unitRows(X);
  index.initIndex(X.samples);
  for (let i = 0; i < X.samples; i++) index.addPoint(row(null, i), i);
  index.writeIndexSync(path);
}

function unitRows(X) {
  return (_, i) => {
    const row = [...X.row(i)];
    const length = Math.hypot(...row) || 1;
    return row.map((value) => value / length);
  };
}
