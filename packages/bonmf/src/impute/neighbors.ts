import { exp } from "../exp.js";
import { findNearest, listPoints } from "../map/nearest-samples.js";
import { gramOf } from "../matrix/prototypes.js";
import { eigen } from "../matrix/symmetric.js";
import { countTogether, type Steps } from "../steps.js";
import { type Components, guess } from "./components.js";
import { listMissing, type ScaledTable } from "./scaled-table.js";

/** Of each sample, others that may be near: n × count. */
export interface Candidates {
  readonly count: number;
  /** How many of them are asked, the nearest first. */
  readonly asked: number;
  readonly ids: Uint32Array;
}

/** Values that candidates may have in all, and how few and how many they are then. */
const MOST_VALUES = 2 ** 11;
const [FEWEST, MOST] = [32, 128];
/** Samples that a sample is compared with by their codes. */
const COMPARED = 1500;
/** So many neighbours that have a value are asked, if there are so many candidates. */
const ASKED = 10;
/** How fast weights fall up to the distance of the last: to e⁻³. */
const STEEPNESS = 3;

/** The samples whose codes are nearest. @param codes n × k */
export function* findCandidates(
  { n, m, counts }: ScaledTable,
  { k, W }: Components,
  codes: Float64Array,
  seed: number,
): Steps<Candidates> {
  const known = counts.reduce((sum, each) => sum + each, 0);
  const count = Math.min(n - 1, MOST, Math.max(FEWEST, Math.floor(MOST_VALUES / m)));
  const asked = Math.min(count, Math.ceil((ASKED * n * m) / known));
  const { values, vectors } = eigen(gramOf(transposed(W, k), k), k);
  const points = new Float32Array(n * k);
  for (let i = 0; i < n; i++) {
    for (let e = 0; e < k; e++) {
      let sum = 0;
      for (let r = 0; r < k; r++) sum += codes[i * k + r] * vectors[e * k + r];
      points[i * k + e] = sum * Math.sqrt(Math.max(0, values[e]));
    }
  }
  const search = (function* () {
    return yield* findNearest(yield* listPoints(points, k, seed, COMPARED), count, COMPARED);
  })();
  for (;;) {
    const step = search.next();
    if (step.done) return { count, asked, ids: step.value };
    yield;
  }
}

/** k × m of m × k. */
function transposed(W: Float64Array, k: number): Float64Array {
  const m = W.length / k;
  return Float64Array.from(W, (_, q) => W[(q % m) * k + Math.floor(q / m)]);
}

/** What the nearest samples say of the values that a sample lacks. */
export interface Opinions {
  /** What components say. */
  readonly own: Float64Array;
  /** The mean of the values that neighbours have; where they have none, what components say. */
  readonly values: Float64Array;
  /** What components say of the neighbours, in the mean. */
  readonly guesses: Float64Array;
}

/** The samples near to others, as the table and its guesses have them. */
export class Neighbors {
  readonly table: ScaledTable;
  readonly count: number;
  readonly #components: Components;
  readonly #codes: Float64Array;
  readonly #candidates: Candidates;
  readonly #few: FewKnown;
  /** m places of features in the list that is asked for; −1 for others. */
  readonly #places: Int32Array;

  constructor(table: ScaledTable, components: Components, codes: Float64Array, candidates: Candidates) {
    this.table = table;
    this.count = candidates.count;
    this.#components = components;
    this.#codes = codes;
    this.#candidates = candidates;
    this.#few = listFewKnown(table, components, codes);
    this.#places = new Int32Array(table.m).fill(-1);
  }

  /**
   * Asks the nearest samples for values that sample i lacks. Near is near in the features that i has; where a neighbour lacks one,
   * its guess counts.
   *
   * @param lacks the features to ask for
   */
  ask(i: number, lacks: Uint32Array): Opinions {
    const { count, asked, ids } = this.#candidates;
    const order = sortCandidates(this.table, ids.subarray(i * count, (i + 1) * count), i);
    const width = order.distances[asked - 1];
    const sums: Sums = {
      totals: new Float64Array(lacks.length),
      values: new Float64Array(lacks.length),
      guesses: new Float64Array(lacks.length),
    };
    for (let l = 0; l < lacks.length; l++) this.#places[lacks[l]] = l;
    for (let c = 0; c < asked; c++) {
      const weight = width > 0 ? exp((-STEEPNESS * order.distances[c]) / width) : 1;
      this.#add(order.ids[c], lacks, weight, sums);
    }
    const { totals, values, guesses } = sums;
    const own = new Float64Array(lacks.length);
    for (let l = 0; l < lacks.length; l++) {
      this.#places[lacks[l]] = -1;
      own[l] = guess(this.#components, this.#codes, i, lacks[l]);
      values[l] = totals[l] > 0 ? values[l] / totals[l] : own[l];
      guesses[l] = totals[l] > 0 ? guesses[l] / totals[l] : own[l];
    }
    return { own, values, guesses };
  }

  /** What sample j has of the features that are asked for: through the shorter of what it has and what is asked. */
  #add(j: number, lacks: Uint32Array, weight: number, sums: Sums): void {
    const { m, values, known } = this.table;
    const { offsets, features, guesses } = this.#few;
    const base = j * m;
    const enter = (l: number, value: number, guessed: number) => {
      sums.totals[l] += weight;
      sums.values[l] += weight * value;
      sums.guesses[l] += weight * guessed;
    };
    if (offsets[j] < offsets[j + 1]) {
      for (let at = offsets[j]; at < offsets[j + 1]; at++) {
        const l = this.#places[features[at]];
        if (l >= 0) enter(l, values[base + features[at]], guesses[at]);
      }
      return;
    }
    for (let l = 0; l < lacks.length; l++) {
      const f = lacks[l];
      if (known[base + f] === 1) enter(l, values[base + f], guess(this.#components, this.#codes, j, f));
    }
  }
}

interface Sums {
  readonly totals: Float64Array;
  readonly values: Float64Array;
  readonly guesses: Float64Array;
}

/** The known values of samples that know less than half of the features, with what components say of them. */
interface FewKnown {
  readonly offsets: Uint32Array;
  readonly features: Uint32Array;
  readonly guesses: Float64Array;
}

function listFewKnown({ n, m, known, counts }: ScaledTable, components: Components, codes: Float64Array): FewKnown {
  const offsets = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) offsets[i + 1] = offsets[i] + (2 * counts[i] < m ? counts[i] : 0);
  const features = new Uint32Array(offsets[n]);
  const guesses = new Float64Array(offsets[n]);
  for (let i = 0, at = 0; i < n; i++) {
    for (let f = 0, p = i * m; at < offsets[i + 1]; f++, p++) {
      if (known[p] === 0) continue;
      features[at] = f;
      guesses[at++] = guess(components, codes, i, f);
    }
  }
  return { offsets, features, guesses };
}

/** Candidates by their distance from sample i, nearest first. */
function sortCandidates(
  { m, values, known, counts }: ScaledTable,
  candidates: Uint32Array,
  i: number,
): { readonly ids: Uint32Array; readonly distances: Float64Array } {
  const count = candidates.length;
  const has = new Uint32Array(counts[i]);
  for (let f = 0, t = 0, p = i * m; t < has.length; f++, p++) if (known[p] === 1) has[t++] = f;
  const ids = new Uint32Array(count);
  const distances = new Float64Array(count);
  for (let c = 0; c < count; c++) {
    const base = candidates[c] * m;
    let sum = 0;
    for (let t = 0; t < has.length; t++) {
      const difference = values[i * m + has[t]] - values[base + has[t]];
      sum += difference * difference;
    }
    let place = c;
    for (; place > 0 && distances[place - 1] > sum; place--) {
      distances[place] = distances[place - 1];
      ids[place] = ids[place - 1];
    }
    distances[place] = sum;
    ids[place] = candidates[c];
  }
  return { ids, distances };
}

/** How much neighbours count: their values beside the guess, and how far the guess is from what is guessed of them. */
export interface Trust {
  readonly values: number;
  readonly shift: number;
}

/** What is put in the place of a missing value. */
export function combine(own: number, value: number, guessed: number, { values, shift }: Trust): number {
  return own + values * (value - own) + shift * (own - guessed);
}

/** Guesses for every missing value of some samples, renewed in the table when all are known. */
export function* renewGuesses(neighbors: Neighbors, rows: Uint32Array, trust: Trust): Steps<void> {
  const { table } = neighbors;
  const { m, values } = table;
  const together = countTogether(neighbors.count * m);
  const found: Float64Array[] = [];
  for (let at = 0; at < rows.length; at++) {
    if (at % together === 0) yield;
    const { own, values: told, guesses } = neighbors.ask(rows[at], listMissing(table, rows[at]));
    for (let l = 0; l < own.length; l++) own[l] = combine(own[l], told[l], guesses[l], trust);
    found.push(own);
  }
  for (let at = 0; at < rows.length; at++) {
    const lacks = listMissing(table, rows[at]);
    for (let l = 0; l < lacks.length; l++) values[rows[at] * m + lacks[l]] = found[at][l];
  }
}
