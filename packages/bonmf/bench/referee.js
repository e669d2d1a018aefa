// Compares results before any timing counts: all objectives are computed here, from the labels, in float64.
import { createHash } from "node:crypto";
import { loadMatrix } from "./data/catalog.js";
import { readArray } from "./data/files.js";

const AGREEMENT = 0.99;
const TOLERANCE = { kmeans: 1e-4, bonmf: 1e-4, nmf: 1e-3 };
/** float32 cosines of the same pair differ by about this much. */
const COSINE = 1e-5;

/** A function (report, path of the labels) → { objective, off, agreement, digest, differs }; the first sets the rule. */
export function referee(judge, sets) {
  if (judge === "neighbors") return judgeNeighbors(sets);
  if (judge === "nmf") return judgeLoss();
  if (judge === undefined) return () => ({});
  const X = loadMatrix(sets[0]);
  let first = null;
  return (_report, path) => {
    const labels = readArray(path);
    const objective = (judge === "kmeans" ? inertia : total)(X, labels);
    first ??= { labels, objective };
    const same = labels.reduce((count, label, i) => count + (label === first.labels[i] ? 1 : 0), 0);
    const agreement = same / labels.length;
    const off = apart(objective, first.objective);
    const differs = agreement < AGREEMENT || off > TOLERANCE[judge];
    return { objective, off, agreement, differs, digest: digestOf(labels) };
  };
}

function judgeLoss() {
  let first = null;
  return ({ objective }) => {
    first ??= objective;
    const off = apart(objective, first);
    return { objective, off, differs: off > TOLERANCE.nmf, digest: String(objective) };
  };
}

/** Agreement is recall: the share of queries whose neighbour is as close as the first contestant's. */
function judgeNeighbors([train, test]) {
  const X = loadMatrix(train).toDense();
  const Q = loadMatrix(test).toDense();
  let first = null;
  return (_report, path) => {
    const ids = readArray(path);
    const cosines = ids.map((id, i) => cosine(Q.row(i), X.row(id)) / COSINE);
    first ??= cosines;
    const agreement = cosines.filter((value, i) => value >= first[i] - 1).length / ids.length;
    // Whoever finds closer neighbours shows that the first was not exact.
    const better = cosines.filter((value, i) => value > first[i] + 1).length;
    return { agreement, differs: better > 0, digest: digestOf(ids) };
  };
}

function cosine(a, b) {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let f = 0; f < a.length; f++) {
    ab += a[f] * b[f];
    aa += a[f] * a[f];
    bb += b[f] * b[f];
  }
  return ab === 0 ? 0 : ab / Math.sqrt(aa * bb);
}

/** ‖X‖² − Σ_j ‖s_j‖²/c_j. */
function inertia(X, labels) {
  const { squares, counts } = sumUp(X, labels);
  const values = X.kind === "dense" ? X.data : X.values;
  let normSq = 0;
  for (const value of values) normSq += value * value;
  return squares.reduce((left, square, j) => left - (counts[j] > 0 ? square / counts[j] : 0), normSq);
}

/** J = Σ_j ‖s_j‖. */
function total(X, labels) {
  return sumUp(X, labels).squares.reduce((sum, square) => sum + Math.sqrt(square), 0);
}

function sumUp(X, labels) {
  const m = X.features;
  const k = labels.reduce((most, label) => Math.max(most, label), 0) + 1;
  const sums = new Float64Array(k * m);
  const counts = new Float64Array(k);
  for (let i = 0; i < labels.length; i++) {
    const base = labels[i] * m;
    counts[labels[i]]++;
    if (X.kind === "dense") for (let f = 0, p = i * m; f < m; f++, p++) sums[base + f] += X.data[p];
    else for (let p = X.offsets[i]; p < X.offsets[i + 1]; p++) sums[base + X.indices[p]] += X.values[p];
  }
  const squares = Array.from({ length: k }, (_, j) =>
    sums.subarray(j * m, (j + 1) * m).reduce((sum, value) => sum + value * value, 0),
  );
  return { squares, counts };
}

function apart(a, b) {
  return Math.abs(a - b) / Math.max(Math.abs(b), Number.MIN_VALUE);
}

function digestOf(labels) {
  return createHash("sha256").update(new Uint8Array(labels.buffer)).digest("hex").slice(0, 12);
}
