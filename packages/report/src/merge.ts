import {
  type Errors,
  fitScaler,
  type Matrix,
  type Membership,
  Model,
  OptionError,
  relativeError,
  Sparse,
  type Topics,
} from "bonmf";
import { pause, runSteps } from "./pause.js";
import { multiplyPrototypes } from "./prototype-products.js";

/** Clusters of a model that a person took together: all measures are of these. */
export interface Merged {
  /** Its prototypes are the means of the merged clusters; without merges the model that was given. */
  readonly model: Model;
  /** The number of each cluster: of merged ones the lowest. */
  readonly numbers: readonly number[];
  /** The clusters of samples, as places in `numbers`, and how clearly they belong there. */
  explain(X: Matrix): Membership[];
  /** As `Model.measureErrors`, of the clusters that `explain` gives. */
  measureErrors(
    X: Matrix,
    places: ArrayLike<number>,
    signal?: AbortSignal,
  ): Promise<Pick<Errors, "relativeError" | "explained">>;
}

/**
 * Takes clusters together. A sample belongs where its own cluster belongs, and is compared with the merged prototypes.
 *
 * @param groups k numbers: the lowest of the clusters that each is merged with, itself where there are none; null: no merges
 */
export function mergeClusters(model: Model, groups: readonly number[] | null): Merged {
  checkGroups(model, groups);
  const numbers = [...new Set(groups ?? model.counts.keys())].sort((a, b) => a - b);
  if (groups === null || numbers.length === model.k) {
    return {
      model,
      numbers,
      explain: (X) => model.explain(X),
      measureErrors: (X, _, signal) => runSteps(model.errorSteps(X), signal),
    };
  }
  const placeOf = new Map(numbers.map((number, place) => [number, place]));
  const places = groups.map((number) => placeOf.get(number)!);
  const merged = mergeModel(model, places, numbers.length);
  return {
    model: merged,
    numbers,
    explain(X) {
      const clusters = Array.from(model.predict(X), (cluster) => places[cluster]);
      return measureMembers(merged, merged.prepare(X), clusters);
    },
    measureErrors: (X, shown, signal) => measureMerged(model, merged, X, shown, signal),
  };
}

/** Topics taken together as clusters are. A new fit has the largest first, so a merged topic stays at the lowest of their places. */
export function mergeTopics(found: Topics, groups: readonly number[] | null): Topics {
  if (groups === null || groups.length !== found.list.length) return found;
  const ids = found.list.map(({ id }) => id);
  return [...new Set(groups)]
    .map((group) => ids.filter((_, place) => groups[place] === group))
    .filter((set) => set.length > 1)
    .reduce((merged, set) => merged.merge(set), found);
}

function checkGroups({ k }: Model, groups: readonly number[] | null): void {
  if (groups === null || (groups.length === k && groups.every((g, j) => groups[g] === g && g <= j))) return;
  throw new OptionError("groups", groups, `groups must be ${k} numbers, each the lowest of the clusters it stands for`);
}

function mergeModel(model: Model, places: readonly number[], k: number): Model {
  const { W, labels, counts, codes } = model;
  const m = W.features;
  const merged = new Float64Array(k * m);
  const sizes = new Float64Array(k);
  const members = new Uint32Array(k);
  for (const [j, place] of places.entries()) {
    const row = W.row(j);
    // Only of one-hot codes does the length of a prototype mean something. Empty clusters count only among themselves.
    const size = (counts[j] || 1e-9) / (codes.form === "labels" ? 1 : lengthOf(row) || 1);
    for (let f = 0; f < m; f++) merged[place * m + f] += size * row[f];
    sizes[place] += counts[j] || 1e-9;
    members[place] += counts[j];
  }
  for (let p = 0; p < merged.length; p++) merged[p] /= sizes[Math.floor(p / m)];
  return new Model({
    ...model,
    settings: { ...model.settings, k },
    W: merged,
    codes: { form: codes.form, k, labels: null, values: null },
    labels: Uint32Array.from(labels, (cluster) => places[cluster]),
    counts: members,
  });
}

function lengthOf(row: ArrayLike<number>): number {
  let normSq = 0;
  for (let f = 0; f < row.length; f++) normSq += row[f] ** 2;
  return Math.sqrt(normSq);
}

function measureMembers({ W, k, method }: Model, Z: Matrix, clusters: readonly number[]): Membership[] {
  const cosines = multiplyPrototypes(Z, W, true);
  return clusters.map((cluster, i) => {
    const own = cosines.subarray(i * k, (i + 1) * k);
    const distances = method === "kmeans" ? measureDistances(Z.row(i), W) : null;
    return {
      cluster,
      cosine: own[cluster],
      margin: k > 1 ? own[cluster] - findBest(own, cluster, 1) : own[cluster],
      distance: distances && {
        own: distances[cluster],
        margin: k > 1 ? findBest(distances, cluster, -1) - distances[cluster] : distances[cluster],
      },
    };
  });
}

/** The largest of the others, or with sign −1 the least. */
function findBest(values: Float64Array, own: number, sign: 1 | -1): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let j = 0; j < values.length; j++) if (j !== own && sign * values[j] > best) best = sign * values[j];
  return sign * best;
}

function measureDistances(row: ArrayLike<number>, W: Model["W"]): Float64Array {
  return Float64Array.from({ length: W.samples }, (_, j) => {
    const w = W.row(j);
    let sum = 0;
    for (let f = 0; f < w.length; f++) sum += (row[f] - w[f]) ** 2;
    return Math.sqrt(sum);
  });
}

/** The errors of a model on the samples it was last measured on: further merges need them again. */
const measured = new WeakMap<Model, { readonly X: Matrix; readonly errors: Errors }>();

async function measureWhole(model: Model, X: Matrix, signal: AbortSignal | undefined): Promise<Errors> {
  const known = measured.get(model);
  if (known?.X === X) return known.errors;
  const errors = await runSteps(model.errorSteps(X), signal);
  measured.set(model, { X, errors });
  return errors;
}

/** Components of real codes still add up to the same: only their names change. */
async function measureMerged(
  model: Model,
  merged: Model,
  X: Matrix,
  places: ArrayLike<number>,
  signal: AbortSignal | undefined,
) {
  const whole = await measureWhole(model, X, signal);
  if (model.codes.form === "real") return whole;
  const Z = model.prepare(X);
  await pause(signal);
  const seen = model.method === "spherical" ? fitScaler("l2", Z).transform(Z) : Z;
  const strengths = Float64Array.from({ length: Z.samples }, (_, i) =>
    model.codes.values ? projectOn(seen, i, merged.W.row(places[i])) : 1,
  );
  const offsets = Uint32Array.from({ length: Z.samples + 1 }, (_, i) => i);
  const H = new Sparse(Z.samples, merged.k, offsets, Uint32Array.from(places), strengths);
  await pause(signal);
  const error = relativeError(seen, merged.W, H);
  const explained = whole.singleError > 0 ? 1 - (error / whole.singleError) ** 2 : 0;
  return { relativeError: error, explained };
}

/** How much of w is in sample i, not below 0. */
function projectOn(Z: Matrix, i: number, w: ArrayLike<number>): number {
  let product = 0;
  Z.each(i, (f, value) => {
    product += value * w[f];
  });
  return Math.max(0, product) / (lengthOf(w) ** 2 || 1);
}
