import { OptionError } from "../errors.js";
import { METHODS } from "../factor/methods/index.js";
import { encodeSamples } from "../kernel/encode.js";
import { rowsOf } from "../kernel/rows.js";
import { nearestPoint } from "../kernel/rules.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { codesToMatrix, type Model } from "../model/model.js";
import { type Neighbor, Neighbors } from "./neighbors.js";

/**
 * How a sample gets its class.
 * - `majority`: the commonest class of the nearest prototype's cluster (section 4.1 of the paper)
 * - `nearest`: the class of the closest training sample by angle within that cluster (section 4)
 * - `vote`: the commonest class among `neighbors` training samples, in `probes` clusters or exactly
 * - `coefficients`: the class of the training sample whose code has the smallest angle to the sample's (`nmf`, `semi-binary`)
 * - `onmf`: the cluster of the largest coefficient, in it the closest training sample by distance
 * - `onmf+cos`: another name for `nearest`, as the paper calls it for `onmf` models
 */
export type SchemeName = "majority" | "nearest" | "vote" | "coefficients" | "onmf" | "onmf+cos";

export const SCHEMES: readonly SchemeName[] = ["majority", "nearest", "vote", "coefficients", "onmf", "onmf+cos"];

/** What a scheme says of one sample. */
export interface Decision {
  readonly cluster: number;
  /** Cosine of the angle to the cluster's prototype. */
  readonly cosine: number;
  /** How much larger that is than the runner-up's cosine. */
  readonly margin: number;
  /** Weight of each class, adding up to 1. */
  readonly shares: Float64Array;
  readonly winner: number;
  /** The closest training sample that decided, if one did. */
  readonly neighbor: Neighbor | null;
}

export interface SchemeOptions {
  readonly scheme: SchemeName;
  readonly neighbors: number;
  readonly probes: number | "exact";
}

/** Training data as the schemes use it: `y` are class numbers. */
export interface Training {
  readonly model: Model;
  readonly Z: Matrix;
  readonly y: Uint32Array;
  readonly classes: number;
}

/** Decides for every row of prepared samples. */
export type Decide = (Q: Matrix) => Decision[];

export function buildScheme(training: Training, options: SchemeOptions): Decide {
  switch (options.scheme) {
    case "majority":
      return majority(training);
    case "coefficients":
      return coefficients(training);
    case "onmf":
      return largestCoefficient(training);
    case "vote":
      return vote(training, options.neighbors, options.probes);
    default:
      return vote(training, 1, 1);
  }
}

/** The nearest prototypes of a sample: `home` by the method's own measure, `order` by angle. */
interface Bearing {
  readonly home: number;
  readonly cosines: Float64Array;
}

/** Finds the bearings of samples, row after row; `x` is the sample at hand as a dense row. */
function* bearings(Q: Matrix, model: Model, usable: (j: number) => boolean): Generator<{ x: Float64Array } & Bearing> {
  const { k } = model;
  const W = model.W.data as Float64Array;
  const lengths = rowLengths(W, k);
  const rows = rowsOf(Q);
  const x = new Float64Array(Q.features);
  const WtX = new Float64Array(k);
  const byDistance = METHODS[model.method].fit === "distance";
  for (let i = 0; i < Q.samples; i++) {
    x.fill(0);
    Q.each(i, (f, value) => {
      x[f] = value;
    });
    rows.dots(i, W, k, WtX);
    const length = Math.sqrt(rows.normSq(i));
    const cosines = WtX.map((dot, j) => (length > 0 && lengths[j] > 0 ? dot / (length * lengths[j]) : 0));
    let home = byDistance
      ? nearestPoint(WtX, lengths, k)
      : argMax(WtX.map((dot, j) => (lengths[j] > 0 ? dot / lengths[j] : 0)));
    if (!usable(home)) home = argMax(cosines.map((c, j) => (usable(j) ? c : Number.NEGATIVE_INFINITY)));
    yield { x, home, cosines };
  }
}

function argMax(scores: Float64Array): number {
  let best = 0;
  for (let j = 1; j < scores.length; j++) if (scores[j] > scores[best]) best = j;
  return best;
}

/** How far the home cluster's cosine is ahead of the best other one. */
function marginOf({ home, cosines }: Bearing): number {
  let other = Number.NEGATIVE_INFINITY;
  cosines.forEach((cosine, j) => {
    if (j !== home) other = Math.max(other, cosine);
  });
  return cosines.length > 1 ? cosines[home] - other : cosines[home];
}

function decideBy(bearing: Bearing, shares: Float64Array, winner: number, neighbor: Neighbor | null): Decision {
  const { home, cosines } = bearing;
  return { cluster: home, cosine: cosines[home], margin: marginOf(bearing), shares, winner, neighbor };
}

function majority({ model, Z, y, classes }: Training): Decide {
  const { k } = model;
  const shares = Array.from({ length: k }, () => new Float64Array(classes));
  const sizes = new Float64Array(k);
  let i = 0;
  for (const { home } of bearings(Z, model, () => true)) {
    shares[home][y[i++]]++;
    sizes[home]++;
  }
  shares.forEach((share, j) => {
    if (sizes[j] > 0) for (let c = 0; c < classes; c++) share[c] /= sizes[j];
  });
  return (Q) =>
    Array.from(
      bearings(Q, model, (j) => sizes[j] > 0),
      (bearing) => decideBy(bearing, shares[bearing.home], argMax(shares[bearing.home]), null),
    );
}

function vote({ model, Z, y, classes }: Training, count: number, probes: number | "exact"): Decide {
  const homes = Uint32Array.from(
    bearings(Z, model, () => true),
    ({ home }) => home,
  );
  const index = new Neighbors(Z, homes, model.W.data as Float64Array, model.k);
  const usable = (j: number) => !index.isEmpty(j);
  const find = ({ x, home, cosines }: { x: Float64Array } & Bearing) => {
    if (probes === "exact") return index.searchExact(x, cosines, count);
    if (probes === 1) return index.search(x, [home], count);
    const others = Array.from(cosines, (_, j) => j).filter((j) => j !== home && usable(j));
    others.sort((a, b) => cosines[b] - cosines[a] || a - b);
    return index.search(x, [home, ...others.slice(0, probes - 1)], count);
  };
  return (Q) =>
    Array.from(bearings(Q, model, usable), (bearing) => {
      const found = find(bearing);
      const { shares, winner } = countVotes(found, y, classes);
      // The neighbour that decided is the closest one of the winning class.
      return decideBy(bearing, shares, winner, found.find(({ index: i }) => y[i] === winner) ?? null);
    });
}

/** One vote each; among equally common classes the one with the closest neighbour wins. */
function countVotes(found: readonly Neighbor[], y: Uint32Array, classes: number) {
  const shares = new Float64Array(classes);
  for (const { index } of found) shares[y[index]] += 1 / found.length;
  let winner = found.length > 0 ? y[found[0].index] : 0;
  for (const { index } of found) if (shares[y[index]] > shares[winner] + 1e-9) winner = y[index];
  return { shares, winner };
}

/** The comparators' schemes need real codes. */
function realCodes({ model, Z }: Training, scheme: string): Matrix {
  if (model.codes.form !== "real") {
    throw new OptionError(
      "scheme",
      scheme,
      `scheme "${scheme}" compares coefficients, which a ${JSON.stringify(model.method)} model does not have: ` +
        'fit with method "nmf", "hals", "onmf", "onmf-ding" or "semi-binary", or choose "majority", "nearest" or "vote"',
    );
  }
  if (model.labels.length !== Z.samples) {
    throw new OptionError(
      "scheme",
      scheme,
      `scheme "${scheme}" needs the ${model.labels.length} samples the model was fitted on, not ${Z.samples} others`,
    );
  }
  return codesToMatrix(model.codes);
}

function codeOf(Q: Matrix, model: Model): Matrix {
  return codesToMatrix(encodeSamples(Q, METHODS[model.method].encode, model.W.data as Float64Array, model.k));
}

function oneHot(classes: number, winner: number): Float64Array {
  const shares = new Float64Array(classes);
  shares[winner] = 1;
  return shares;
}

function coefficients(training: Training): Decide {
  const { model, y, classes } = training;
  const H = realCodes(training, "coefficients");
  const index = new Neighbors(H, new Uint32Array(H.samples), new Float64Array(model.k), 1);
  return (Q) => {
    const codes = codeOf(Q, model);
    return Array.from(
      bearings(Q, model, () => true),
      (bearing) => bearing,
    ).map((bearing, i) => {
      const [neighbor] = index.search(Float64Array.from(codes.row(i)), [0], 1);
      return decideBy(bearing, oneHot(classes, y[neighbor.index]), y[neighbor.index], neighbor);
    });
  };
}

function largestCoefficient(training: Training): Decide {
  const { model, Z, y, classes } = training;
  const H = realCodes(training, "onmf");
  const clusters = Uint32Array.from({ length: H.samples }, (_, i) => argMax(Float64Array.from(H.row(i))));
  const index = new Neighbors(Z, clusters, model.W.data as Float64Array, model.k);
  return (Q) => {
    const codes = codeOf(Q, model);
    let i = 0;
    return Array.from(
      bearings(Q, model, () => true),
      ({ x, cosines }) => {
        const h = Float64Array.from(codes.row(i++), (value, j) =>
          index.isEmpty(j) ? Number.NEGATIVE_INFINITY : value,
        );
        const home = argMax(h);
        const [neighbor] = index.search(x, [home], 1, "distance");
        return decideBy({ home, cosines }, oneHot(classes, y[neighbor.index]), y[neighbor.index], neighbor);
      },
    );
  };
}
