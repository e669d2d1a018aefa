// The cases of the bench: drawn once from a fixed seed, so that every run sees the same.

import { seeded } from "../data/random.js";
import { Dense, Sparse } from "../library.js";
import { makeCounts, makeDense, UNSTRUCTURED } from "./planted.js";

const KS = [2, 3, 4, 6, 8, 11, 15, 20, 25, 30];
const OVERLAPS = [0.001, 0.01, 0.02, 0.05];
const DENSE_FEATURES = [2, 3, 6, 15, 40, 100, 200];
const COUNT_FEATURES = [30, 60, 120];
const TEXT_FEATURES = [300, 600];

/** Every combination of values in turn, so that all are seen equally often. Numbers by distance, and as the command fits them. */
export function listPlanted() {
  const next = seeded(17);
  const take = (list) => list[Math.floor(next() * list.length)];
  const cases = [];
  for (const k of KS) {
    for (const balanced of [true, false]) {
      for (const overlap of OVERLAPS) {
        const seed = cases.length + 1;
        const [kind, features] = [
          ["dense", DENSE_FEATURES],
          ["dense", DENSE_FEATURES],
          ["counts", COUNT_FEATURES],
          ["text", TEXT_FEATURES],
        ][Math.floor(next() * 4)];
        cases.push({ kind, k, m: take(features), balanced, overlap, seed });
      }
    }
  }
  return cases.flatMap(andLifted);
}

function andLifted(each) {
  return ["counts", "text", "words"].includes(each.kind) ? [each] : [each, { ...each, lifted: true }];
}

export function listUnstructured(repeats = 5) {
  const cases = [];
  for (const kind of ["uniform", "gaussian", "skewed", "correlated"]) {
    for (const m of [1, 2, 10, 50, 200]) {
      for (let r = 0; r < repeats; r++) {
        cases.push({ kind, m, n: [300, 60, 1000, 3000][r % 4], seed: 1000 + cases.length });
      }
    }
  }
  for (let r = 0; r < 2 * repeats; r++) {
    cases.push({ kind: "words", m: [300, 1000][r % 2], n: [500, 1500][r % 2], seed: 1000 + cases.length });
  }
  return cases.flatMap(andLifted).map((each) => ({ ...each, k: 1 }));
}

/** Samples, and options of a user: distance for numbers, or what the command chooses for them; angle for counts. */
export function makeCase(each) {
  const { kind, m, lifted } = each;
  const byAngle = { method: "bonmf", scale: lifted ? "lift" : "none" };
  if (kind === "counts") return { X: Sparse.from(makeCounts(each), m), options: byAngle };
  if (kind === "text") {
    return { X: Sparse.from(makeCounts({ ...each, length: 100, burst: 300 }), m), options: byAngle };
  }
  const rows = kind === "dense" ? makeDense(each) : UNSTRUCTURED[kind](each);
  if (kind === "words") return { X: Sparse.from(rows, m), options: byAngle };
  return { X: Dense.from(rows), options: lifted ? byAngle : { method: "kmeans" } };
}

export function describeCase({ kind, k, m, balanced, overlap, n, lifted }) {
  const what = nameKind({ kind, lifted });
  return k === 1
    ? `${what}, ${n} × ${m}`
    : `${what}, k = ${k}, ${m} features, ${balanced ? "balanced" : "1:20"}, overlap ${100 * overlap} %`;
}

export function nameKind({ kind, lifted }) {
  return lifted ? `${kind}, lifted` : kind;
}
