import { memorySource } from "../engine/in-memory.js";
import { findProbabilities } from "../kernel/encode.js";
import { readRow } from "../kernel/plain/rows.js";
import { argMax } from "../kernel/plain/rules.js";
import { isMostlyZero } from "../kernel/scatter.js";
import { countNonZeros, type Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { PrototypeIndex } from "../model/prototype-index.js";
import { areAxesCheap, findAxes } from "./axes.js";
import { sizeClasses } from "./class-weights.js";
import { guessCurvature, isCurvatureCheap, measureCurvature } from "./curvature.js";
import { type Decision, decideBlock, type Evidence, type Scheme, type Training, type Votes } from "./decision.js";
import { type LinearState, type Logistic, placeClasses, scoreCount, trainLogistic } from "./logistic.js";
import { solveRidge } from "./ridge.js";
import { reduceToRows } from "./row-space.js";
import { expandSamples, measureCodes } from "./soft-codes.js";
import { logOdds, startWarm } from "./warm-start.js";

/** How a linear classifier is trained. */
export interface LinearOptions {
  readonly penalty: number;
  /** For `linear+codes`: how narrow the codes are; null for `linear`. */
  readonly sharpness: number | null;
  readonly weights?: Float64Array | null | undefined;
  /** For `linear`, as in {@link LogisticOptions}. */
  readonly tolerance?: number | undefined;
  /** For `linear`: the most sweeps for each penalty. Default 2000. */
  readonly limit?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sweeps of a training, for the choice of threads. */
const SWEEPS = 60;

/**
 * Coefficients for each penalty, from the largest to the smallest. `linear` is a logistic regression, which begins where the one before
 * ended; `linear+codes` a ridge regression, which has nothing to begin from.
 */
export async function trainPath(
  { model, Z, y, classes }: Pick<Training, "model" | "Z" | "y" | "classes">,
  penalties: readonly number[],
  options: Omit<LinearOptions, "penalty">,
): Promise<LinearState[]> {
  const { sharpness, weights = null, tolerance, limit, threads, signal } = options;
  if (sharpness !== null) {
    const codes = measureCodes(model, Z, sharpness);
    const task = { features: expandSamples(model, Z, codes), y, classes, weights };
    return solveRidge(task, penalties).map((found) => ({ ...found, codes }));
  }
  const rows = Z.kind === "dense" && Z.features > Z.samples ? reduceToRows(Z) : null;
  const k = scoreCount(classes);
  const samples = rows?.L ?? Z;
  const nonZeros = countNonZeros(samples);
  const curvature = isCurvatureCheap(samples, nonZeros)
    ? (at: Logistic, penalty: number) => measureCurvature(samples, weights, at, penalty)
    : undefined;
  const path: LinearState[] = [];
  const sizes = sizeClasses(y, classes, weights);
  const hasAxes = !curvature && samples.kind === "dense" && areAxesCheap(samples.samples, k);
  const first = guessCurvature(samples, weights, sizes, hasAxes ? findAxes(samples) : null);
  const how = { tolerance, limit, first, curvature, isMostlyZero: isMostlyZero(samples, nonZeros), signal };
  const open = { k, form: "labels", threads, effort: 2 * k * SWEEPS } as const;
  let start: Logistic = { W: new Float64Array(k * samples.features), bias: logOdds(sizes) };
  // The curvature is measured at the start: the nearer that is to the minimum, the better. Its threads then serve all samples.
  if (curvature)
    start = await startWarm({ samples, y, classes, weights }, start, { ...how, penalty: penalties[0] }, open);
  const source = memorySource(samples, weights);
  const engine = await source.open({ ...open, effort: open.effort * penalties.length });
  try {
    await placeClasses(engine, y, classes);
    for (const penalty of penalties) {
      start = await trainLogistic(engine, classes, { ...how, penalty, start });
      path.push({ ...(rows?.expand(start) ?? start), codes: null });
    }
    return path;
  } finally {
    await engine.close();
  }
}

/** Scores by coefficients; shares are the probabilities of the logistic model. */
export function byLinear(model: Model, linear: LinearState, classes: number): Scheme {
  const prototypes = new PrototypeIndex(model);
  const name = namePrototypes(model);
  return {
    decide(Q) {
      const decisions: Decision[] = [];
      for (const block of prototypes.cosineBlocks(Q)) {
        const votes = voteLinearly(model, linear, classes, block.Q);
        decideBlock(block, prototypes.findHomes(block.Q), (i) => ({ votes: votes[i], neighbor: null }), decisions);
      }
      return decisions;
    },
    weigh: (Q, decisions) => weighFeatures(model, linear, name, Q, decisions),
    state: () => ({ linear }),
  };
}

const BLOCK = 1024;

/** The votes on every row of Q. */
export function voteLinearly(model: Model, linear: LinearState, classes: number, Q: Matrix): Votes[] {
  const { W, bias, codes } = linear;
  const r = bias.length;
  const votes: Votes[] = [];
  for (let first = 0; first < Q.samples; first += BLOCK) {
    const block = Q.slice(first, Math.min(first + BLOCK, Q.samples)) as Matrix;
    const found = findProbabilities(codes === null ? block : expandSamples(model, block, codes), W, bias);
    for (let base = 0; base < found.length; base += r) {
      const shares = found.slice(base, base + r);
      const whole = r > 1 ? shares : classes === 1 ? Float64Array.of(1) : Float64Array.of(1 - shares[0], shares[0]);
      votes.push({ shares: whole, winner: argMax(whole) });
    }
  }
  return votes;
}

/** How many features a reason names. */
const MOST_NAMED = 10;

/** What spoke for the winner and against the second most likely class, strongest first. */
function weighFeatures(
  model: Model,
  { W, bias, codes }: LinearState,
  namePrototype: (j: number) => string,
  Q: Matrix,
  decisions: readonly Decision[],
): Evidence[][] {
  const features = codes === null ? Q : expandSamples(model, Q, codes);
  const m = features.features;
  const shift = codes === null ? 0 : model.k;
  const names = model.outputNames;
  const x = new Float64Array(m);
  return decisions.map(({ shares, winner }, i) => {
    readRow(features, i, x);
    const rival = secondBest(shares, winner);
    const two = bias.length === 1;
    const found: Evidence[] = [];
    for (let f = 0; f < m; f++) {
      const amount = two ? (winner === 1 ? 1 : -1) * W[f] * x[f] : (W[winner * m + f] - W[rival * m + f]) * x[f];
      if (amount === 0) continue;
      const feature = f < shift ? null : f - shift;
      found.push({
        feature,
        prototype: f < shift ? f : null,
        name: feature === null ? "" : (names?.[feature] ?? `feature ${feature}`),
        amount,
      });
    }
    return found
      .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
      .slice(0, MOST_NAMED)
      .map((one) => (one.prototype === null ? one : { ...one, name: namePrototype(one.prototype) }));
  });
}

/** How many features tell a prototype. */
const MOST_TOLD = 2;

/** "prototype 3 (↑ radius, ↓ texture)": the features in which it differs most from the mean of all samples. */
function namePrototypes({ W, k, counts, samples, outputNames }: Model): (j: number) => string {
  const known = new Map<number, string>();
  let mean: Float64Array | null = null;
  const describe = (j: number) => {
    if (outputNames === null) return `prototype ${j}`;
    mean ??= meanOf(W, counts, samples, k);
    const own = W.row(j);
    const gaps = Array.from(outputNames, (name, f) => ({ name, gap: own[f] - mean![f] }));
    const told = gaps.filter(({ gap }) => gap !== 0).sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap));
    const features = told.slice(0, MOST_TOLD).map(({ name, gap }) => `${gap > 0 ? "↑" : "↓"} ${name}`);
    return features.length === 0 ? `prototype ${j}` : `prototype ${j} (${features.join(", ")})`;
  };
  return (j) => {
    const name = known.get(j) ?? describe(j);
    known.set(j, name);
    return name;
  };
}

function meanOf(W: Model["W"], counts: ArrayLike<number>, samples: number, k: number): Float64Array {
  const mean = new Float64Array(W.features);
  for (let j = 0; j < k; j++) {
    const row = W.row(j);
    for (let f = 0; f < mean.length; f++) mean[f] += (row[f] * counts[j]) / samples;
  }
  return mean;
}

function secondBest(shares: Float64Array, winner: number): number {
  let best = winner === 0 ? 1 : 0;
  for (let c = 0; c < shares.length; c++) if (c !== winner && shares[c] > shares[best]) best = c;
  return best;
}
