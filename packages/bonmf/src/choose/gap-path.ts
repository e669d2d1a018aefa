import { runSteps } from "../engine/yield.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { resampleCounts } from "../measure/null-reference.js";
import { drawOneGroup } from "../measure/one-group.js";
import { ari } from "../measure/rand-index.js";
import type { Model } from "../model/model.js";
import { Random, STREAM } from "../random.js";
import { countDirections, countSteps, embed, MOST_AXES, workOfEmbedding } from "./embedding.js";
import { assign, type Gaps, measureGaps, type Partition } from "./gaps.js";
import { type PathOptions, walkPath } from "./merge-path.js";
import { walkMixtures } from "./mixture-path.js";
import { findMixture, isStructured, type PathStep } from "./recommend.js";
import { divideShare, type TellShare, tellSteps } from "./share.js";
import { blurSteps } from "./steps.js";

/** Measures of k clusters. Plain data. */
export interface GapStep extends PathStep {
  /** How much sparser samples are at boundaries than inside: 1 empty, 0 the same, below 0 denser. */
  readonly separation: number;
  /** That of one group with the same covariance, or of the same words drawn anew. */
  readonly reference: number;
  /** Agreement of the partitions of two disjoint parts about all samples: the adjusted Rand index. */
  readonly stability: number;
}

/** Gaps are measured on no more samples than this. */
const MOST_SAMPLES = 10_000;
/** Of fewer nothing can be said. */
const LEAST_SAMPLES = 16;
/** The null reference is made of no more than these. */
const MOST_REFERENCE = 2000;
/** Few samples are cut into more parts, so that more of them form the clusters. */
const FEW_SAMPLES = 3000;
const [PARTS, MORE_PARTS] = [2, 4];
/** In the first partition of a path: clusters more than asked for, and samples in each at least. */
const SPARE_SHARE = 1.5;
const LEAST_MEMBERS = 4;
/** Work of a path for each sample, axis and square of the most clusters, in multiplications of an embedding; and that of mixtures. */
const PATH_WORK = 0.75;
const MIXTURE_WORK = 2;

interface MeasureOptions extends Omit<PathOptions, "tell"> {
  readonly byAngle: boolean;
  /** Whether features may be years, grades or categories, other than pixels, words and embeddings. */
  readonly isTable: boolean;
}

export interface GapSample {
  /** As the caller gave them. */
  readonly raw: Matrix;
  /** Scaled. */
  readonly X: Matrix;
  /** Whether a last feature of ones was left out, for which angles stood for distances. */
  readonly unlifted: boolean;
  readonly weights: Float64Array | null;
  readonly scaler: Model["scaler"];
}

/** The samples on which gaps are measured: all, or some drawn at random. */
export function drawSample(X: Matrix, weights: Float64Array | null, { scaler }: Model, seed: number): GapSample {
  const positive = weights && Uint32Array.from(weights.keys()).filter((i) => weights[i] > 0);
  const known = positive?.length ?? X.samples;
  const drawn =
    known > MOST_SAMPLES ? new Random(seed, STREAM.measure).choose(known, MOST_SAMPLES).sort() : allOf(known);
  const ids = positive ? drawn.map((i) => positive[i]) : drawn;
  const raw = ids.length === X.samples ? X : X.take(ids);
  const scaled = scaler.transform(raw);
  const unlifted = isLifted(scaled);
  const drawnWeights = weights && normalise(Array.from(ids, (i) => weights[i]));
  return { raw, X: unlifted ? dropLast(scaled) : scaled, unlifted, scaler, weights: drawnWeights };
}

/**
 * Whether angles stand for distances, as after `lift`: the last feature is 1 throughout. In few dimensions the sphere of directions has
 * another shape than a cloud, so distances are measured then.
 */
function isLifted(X: Matrix): X is Dense {
  const { samples: n, features: m } = X;
  if (X.kind === "sparse" || m < 2 || m > MOST_AXES + 1) return false;
  for (let i = 0; i < n; i++) if (X.data[i * m + m - 1] !== 1) return false;
  return n > 0;
}

function dropLast({ samples: n, features: m, data, precision }: Dense): Dense {
  const out = Dense.zeros(n, m - 1, precision);
  for (let i = 0; i < n; i++) out.row(i).set(data.subarray(i * m, (i + 1) * m - 1));
  return out;
}

/** Weights with a mean of 1. */
function normalise(weights: readonly number[]): Float64Array {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return Float64Array.from(weights, (weight) => weight / mean);
}

/** Measures of every k. Each part of the samples is measured by a partition of the others. */
export class GapPath {
  readonly #sample: GapSample;
  readonly #options: MeasureOptions;
  /** Where samples are counts of words, those. */
  readonly #counts: Sparse | null;
  /** Found once, for ranges that grow. */
  #points: Dense | null = null;
  #groups: readonly Dense[] | null = null;
  #directions: number | null = null;

  constructor(sample: GapSample, options: MeasureOptions) {
    this.#sample = sample;
    this.#options = options;
    this.#counts = options.byAngle && isCounts(sample.raw) ? sample.raw : null;
  }

  /**
   * Measures of 2 … `ks` clusters and some more.
   *
   * @param ks the range, ascending
   */
  async measure(ks: readonly number[], tell?: TellShare): Promise<GapStep[]> {
    const { X, weights } = this.#sample;
    if (X.samples < LEAST_SAMPLES) return [];
    const stages = divideShare(tell, this.#estimate(ks));
    const [embedding, partitions, resampling, reference, mixtures, directions, balances] = stages;
    const points = await this.#embed(embedding);
    const parts = cutParts(points, weights, this.#options.seed);
    const most = mostClusters(ks[ks.length - 1], Math.min(...parts.map(({ rest }) => rest.X.samples)));
    const options = { ...this.#options, most };
    const gaps = await measurePartitions(points, parts, { ...options, tell: partitions });
    const groups = await this.#drawGroups(points, resampling);
    const steps = compareGaps(gaps, await measureGroups(groups, { ...options, tell: reference }));
    if (!isStructured(steps.filter(({ k }) => ks.includes(k)))) return steps;
    const criteria = new Map<number, number>();
    for await (const { k, criterion } of walkMixtures(points, weights, most, { ...options, tell: mixtures })) {
      criteria.set(k, criterion);
    }
    const least = 1 + (await this.#countDirections(directions));
    const known = steps.map((step) => ({
      ...step,
      criterion: criteria.get(step.k)! - criteria.get(1)!,
      tooFew: step.k < least,
    }));
    // Where it is beyond the range, the balance tells whether a longer range is worth while.
    const { k } = (findMixture(known, ks) ?? findMixture(known, known.map((step) => step.k)))!; // biome-ignore format: one line
    const balance = await measureBalance(parts, k, { ...options, tell: balances });
    return known.map((step) => (step.k === k ? { ...step, balance } : step));
  }

  /** About how many multiplications each part of the work takes. */
  #estimate(ks: readonly number[]): number[] {
    const { samples: n, features: m } = this.#sample.X;
    const parts = countParts(n);
    const drawn = Math.min(n, MOST_REFERENCE);
    const path = PATH_WORK * Math.min(m, MOST_AXES) * (SPARE_SHARE * ks[ks.length - 1]) ** 2;
    const embedding = (samples: number) => samples * workOfEmbedding(this.#sample.X);
    const isNew = (found: unknown) => Number(found === null);
    return [
      isNew(this.#points) * embedding(n),
      path * (parts - (parts === 2 ? 1 : 0)) * n,
      isNew(this.#groups) * (this.#counts ? embedding(drawn) : 0),
      (path * drawn) / (this.#counts ? 2 : 1),
      MIXTURE_WORK * path * n,
      isNew(this.#directions) * (this.#counts ? embedding(n) : 0),
      // As a rule their paths are not walked to the end.
      MIXTURE_WORK * path * n,
    ];
  }

  async #embed(tell: TellShare): Promise<Dense> {
    const { byAngle, seed, isTable, signal } = this.#options;
    const { X } = this.#sample;
    if (this.#points === null) {
      const seen = this.#counts ? takeRoots(X) : isTable ? blurSteps(X, seed) : X;
      this.#points = await runSteps(tellSteps(embed(seen, byAngle, seed), countSteps(X), tell), signal);
    }
    return this.#points;
  }

  /**
   * One group: a cloud with the covariance of the samples, for nearness also one with their skew and tails, if that is nearer; for
   * counts, those drawn anew from the totals of all.
   */
  async #drawGroups(points: Dense, tell: TellShare): Promise<readonly Dense[]> {
    if (this.#groups !== null) return this.#groups;
    const { byAngle, seed, signal } = this.#options;
    const n = points.samples;
    const some = new Random(seed, STREAM.reference).choose(n, Math.min(n, MOST_REFERENCE)).sort();
    if (this.#counts === null) {
      this.#groups = (["covariance", "features"] as const).map((keep) => drawOneGroup(points.take(some), keep, seed));
    } else {
      const drawn = takeRoots(this.#sample.scaler.transform(resampleCounts(this.#counts.take(some), seed)));
      this.#groups = [await runSteps(tellSteps(embed(drawn, byAngle, seed), countSteps(drawn), tell), signal)];
    }
    return this.#groups;
  }

  /** In how many directions counts differ; 0 where that is not known. */
  async #countDirections(tell: TellShare): Promise<number> {
    if (this.#counts === null) return 0;
    const { seed, signal } = this.#options;
    const steps = tellSteps(countDirections(this.#counts, seed), countSteps(this.#counts), tell);
    this.#directions ??= (await runSteps(steps, signal)) ?? 0;
    return this.#directions;
  }
}

interface PartOptions extends PathOptions {
  /** In the first partition of a path. */
  readonly most: number;
}

/** Gaps by k-means, and how alike the partitions of two halves are. */
async function measurePartitions(
  points: Dense,
  parts: readonly Split[],
  { most, ...options }: PartOptions,
): Promise<MeasuredGaps> {
  const gaps = new Map<number, Gaps>();
  const labelings = new Map<number, Uint32Array[]>();
  const label = ({ k }: Partition, labels: Uint32Array) => labelings.set(k, [...(labelings.get(k) ?? []), labels]);
  const halves = parts.length > 2 ? halve(parts) : [];
  const tells = divideShare(options.tell, [
    ...parts.map(({ rest }) => rest.X.samples),
    ...halves.map(({ X }) => X.samples),
  ]);
  for (const [p, { rest, part }] of parts.entries()) {
    const own = { ...options, seed: options.seed + p, tell: tells[p] };
    for await (const partition of walkPath(rest.X, rest.weights, most, own)) {
      addTo(gaps, partition.k, measureGaps(part.X, part.weights, partition), parts.length);
      if (parts.length === 2) label(partition, assign(points, partition));
    }
  }
  for (const [h, { X, weights }] of halves.entries()) {
    const own = { ...options, tell: tells[parts.length + h] };
    for await (const partition of walkPath(X, weights, Math.min(most, X.samples), own)) {
      label(partition, assign(points, partition));
    }
  }
  const stability = new Map([...labelings].map(([k, [labels, others]]) => [k, others ? ari(labels, others) : 0]));
  return { gaps, stability };
}

interface MeasuredGaps {
  readonly gaps: ReadonlyMap<number, Gaps>;
  readonly stability: ReadonlyMap<number, number>;
}

/** @param reference what one group has */
function compareGaps({ gaps, stability }: MeasuredGaps, reference: ReadonlyMap<number, Gaps>): GapStep[] {
  return [...gaps]
    .sort(([a], [b]) => a - b)
    .map(([k, { evidence, separation, nearness, evenNearness }]) => {
      const group = reference.get(k) ?? NOTHING;
      const contrast = nearness - group.nearness;
      return {
        k,
        evidence,
        separation,
        reference: group.separation,
        contrast,
        evenContrast: evenNearness - group.evenNearness,
        stability: stability.get(k) ?? 0,
        criterion: null,
        balance: null,
        tooFew: false,
      };
    });
}

/** Whether gaps set off the clusters of mixtures of k clusters, by samples that took no part in them. */
async function measureBalance(parts: readonly Split[], k: number, { most, ...options }: PartOptions): Promise<number> {
  const tells = divideShare(options.tell, parts.map(() => 1)); // biome-ignore format: one line
  let sum = 0;
  for (const [p, { rest, part }] of parts.entries()) {
    const own = { ...options, seed: options.seed + p, tell: tells[p] };
    for await (const mixture of walkMixtures(rest.X, rest.weights, most, own)) {
      if (mixture.k > k) continue;
      sum += measureGaps(part.X, part.weights, mixture).balance;
      break;
    }
  }
  return sum;
}

/** In the first partition of a path: more than asked for, and still some samples in each. */
function mostClusters(last: number, samples: number): number {
  return Math.min(samples, Math.ceil(SPARE_SHARE * last) + 1, Math.max(last, Math.floor(samples / LEAST_MEMBERS)));
}

/** Evidence adds up over the parts, the others are means. */
function addTo(sums: Map<number, Gaps>, k: number, gaps: Gaps, parts: number): void {
  const before = sums.get(k) ?? NOTHING;
  sums.set(k, {
    evidence: before.evidence + gaps.evidence,
    balance: before.balance + gaps.balance,
    separation: before.separation + gaps.separation / parts,
    nearness: before.nearness + gaps.nearness / parts,
    evenNearness: before.evenNearness + gaps.evenNearness / parts,
  });
}

const NOTHING: Gaps = { evidence: 0, balance: 0, separation: 0, nearness: 0, evenNearness: 0 };

interface Weighted {
  readonly X: Dense;
  readonly weights: Float64Array | null;
}

/** One part of the samples, and the others. */
interface Split {
  readonly part: Weighted;
  readonly rest: Weighted;
}

function countParts(samples: number): number {
  return samples < FEW_SAMPLES ? MORE_PARTS : PARTS;
}

/** Every part once, drawn at random. */
function cutParts(points: Dense, weights: Float64Array | null, seed: number): Split[] {
  const n = points.samples;
  const parts = countParts(n);
  const partOf = new Uint8Array(n);
  new Random(seed, STREAM.split).permutation(n).forEach((i, place) => {
    partOf[i] = place % parts;
  });
  return Array.from({ length: parts }, (_, part) => cut(points, weights, (i) => partOf[i] === part));
}

function cut(X: Dense, weights: Float64Array | null, isPart: (i: number) => boolean): Split {
  const ids = allOf(X.samples);
  const take = (some: Uint32Array): Weighted => ({
    X: X.take(some),
    weights: weights && Float64Array.from(some, (i) => weights[i]),
  });
  return { part: take(ids.filter(isPart)), rest: take(ids.filter((i) => !isPart(i))) };
}

/** Two disjoint halves of four parts. */
function halve(parts: readonly Split[]): Weighted[] {
  const [a, b, c, d] = parts.map(({ part }) => part);
  return [join(a, c), join(b, d)];
}

function join(a: Weighted, b: Weighted): Weighted {
  const X = new Dense(a.X.samples + b.X.samples, a.X.features, Float64Array.from([...a.X.data, ...b.X.data]));
  return { X, weights: a.weights && b.weights && Float64Array.from([...a.weights, ...b.weights]) };
}

/** What the same way of measuring finds in one group. */
async function measureGroups(
  groups: readonly Dense[],
  { most, ...options }: PartOptions,
): Promise<ReadonlyMap<number, Gaps>> {
  const tells = divideShare(options.tell, groups.map(() => 1)); // biome-ignore format: one line
  const found = new Map<number, Gaps>();
  for (const [g, group] of groups.entries()) {
    const { part, rest } = cut(group, null, (i) => i % 2 === 0);
    const own = { ...options, tell: tells[g] };
    for await (const partition of walkPath(rest.X, null, Math.min(most, rest.X.samples), own)) {
      const gaps = measureGaps(part.X, null, partition);
      const before = found.get(partition.k) ?? gaps;
      found.set(partition.k, {
        ...before,
        nearness: Math.max(gaps.nearness, before.nearness),
        evenNearness: Math.max(gaps.evenNearness, before.evenNearness),
      });
    }
  }
  return found;
}

/** Square roots, which give counts of all sizes the same variance; angles between them are Hellinger distances. */
function takeRoots(X: Matrix): Matrix {
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.map(Math.sqrt));
  return Sparse.trust(X.samples, X.features, X.offsets, X.indices, X.values.map(Math.sqrt));
}

/** Sparse whole numbers: words, most likely. */
function isCounts(X: Matrix): X is Sparse {
  return X.kind === "sparse" && X.values.every((value) => value >= 0 && Number.isInteger(value) && value < 1000);
}

function allOf(n: number): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}
