import type { Engine } from "../engine/engine.js";
import { memorySource } from "../engine/in-memory.js";
import { iterate, type Outcome } from "../factor/iterate.js";
import { METHODS } from "../factor/methods/index.js";
import type { MethodName } from "../factor/settings.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { resolveOptions } from "../model/options.js";
import { deriveSeed } from "../random.js";

/** Topics are found when a sweep raises the objective by less than this share: further ones move documents between two topics. */
export const TOLERANCE = 1e-4;

/** Starts are tried on so many documents: at least, and of each topic. More would only take longer. */
const DOCUMENTS = 3000;
const OF_EACH = 50;
/** Starts that are tried. */
const STARTS = 5;
/** Sweeps after which starts are compared. */
const SHORT = 8;
/** Sweeps of NMF between two of them. */
const MIXED = 5;
/** Of some documents, words that fewer have tell no topic, and take most of the time. */
const LEAST_HOLDERS = 5;
/** What is found goes on with so many times the documents, until the next step would be all of them, or nearly. */
const GROWTH = 8;
const NEARLY = 4;
const LONG = 50;
/** Where mixing raises the objective by more than this share, it is kept and done again; less may be that of a few more sweeps. */
const WORTH = 0.005;

export interface StartOptions {
  readonly k: number;
  /** One-hot. */
  readonly method: MethodName;
  readonly seed: number | undefined;
  /** How many starts; default 5. */
  readonly restarts: number | undefined;
  readonly threads: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Prototypes to begin with, k × m: the best of some starts after a few sweeps over some of the documents, and what becomes of it
 * when documents may mix topics for a while, by NMF. Of many small topics that finds better ones than any documents taken for
 * prototypes; and which start is the best shows early and in a part of the documents.
 *
 * @param Z n × m, scaled, in an order that tells nothing
 */
export async function findStart(Z: Matrix, weights: Float64Array | null, options: StartOptions): Promise<Dense> {
  const { k } = options;
  const first = Math.max(DOCUMENTS, OF_EACH * k);
  let W = await tryOn(drawPart(Z, weights, first), null, options, findBest);
  for (let size = GROWTH * first; NEARLY * size <= Z.samples; size *= GROWTH) {
    W = await tryOn(drawPart(Z, weights, size), W, options, (tries, from) => tries.settle(from!));
  }
  return W;
}

/** The best of some starts, mixed as long as that helps. */
async function findBest(tries: Tries): Promise<Outcome> {
  const { restarts } = tries;
  let best = await tries.begin(0);
  for (let start = 1; start < restarts; start++) best = tries.better(best, await tries.begin(start));
  for (let mixes = restarts > 1 && tries.k > 1; mixes; ) {
    const other = await tries.goOn(await tries.mix(best));
    mixes = tries.gain(best, other) > WORTH;
    if (mixes) best = other;
  }
  return best;
}

/**
 * @param from prototypes of all columns to begin with
 * @returns prototypes of all columns
 */
async function tryOn(
  { X, weights, kept, width }: Part,
  from: Dense | null,
  options: StartOptions,
  find: (tries: Tries, from: Float64Array | null) => Promise<Outcome>,
): Promise<Dense> {
  const { k, method, threads, signal } = options;
  const effort = LONG * k * (X.kind === "sparse" ? X.indices.length : X.data.length);
  const engine = await memorySource(X, weights).open({
    ...{ k, form: METHODS[method].form, signal },
    ...(from === null ? { threads: 1, effort: k } : { threads, effort }),
  });
  try {
    const { W } = await find(new Tries(engine, options), from && takeColumns(from, kept));
    return restoreColumns(W, k, kept, width);
  } finally {
    await engine.close();
  }
}

/** Short runs on some documents. */
class Tries {
  readonly #engine: Engine;
  readonly #options: StartOptions;
  readonly k: number;
  readonly restarts: number;

  constructor(engine: Engine, options: StartOptions) {
    this.#engine = engine;
    this.#options = options;
    this.k = options.k;
    this.restarts = options.restarts ?? STARTS;
  }

  /** From documents taken for prototypes. */
  begin(start: number): Promise<Outcome> {
    return this.#run(this.#options.method, "plusplus", { start, maxIterations: SHORT });
  }

  goOn({ W }: Outcome): Promise<Outcome> {
    return this.#run(this.#options.method, W, { maxIterations: SHORT });
  }

  /** Until the objective does. */
  settle(W: Float64Array): Promise<Outcome> {
    return this.#run(this.#options.method, W, { maxIterations: LONG, tolerance: TOLERANCE });
  }

  /** By NMF. */
  mix({ W }: Outcome): Promise<Outcome> {
    return this.#run("hals", W, { maxIterations: MIXED });
  }

  /** The earlier one of two that are equally good. */
  better(a: Outcome, b: Outcome): Outcome {
    return this.gain(a, b) > 0 ? b : a;
  }

  /** What b has more than a, as a share. */
  gain(a: Outcome, b: Outcome): number {
    const [before, after] = [a, b].map(({ history }) => history[history.length - 1].potential);
    return (METHODS[this.#options.method].sense * (after - before)) / Math.abs(before);
  }

  async #run(
    method: MethodName,
    init: "plusplus" | Float64Array,
    { start = 0, ...limits }: { start?: number; maxIterations: number; tolerance?: number },
  ): Promise<Outcome> {
    const { k, seed = 0, signal } = this.#options;
    const { samples, features } = this.#engine;
    const given = typeof init === "string" ? init : new Dense(k, features, init);
    const run = resolveOptions({ k, method, seed, init: given, ...limits, signal }, samples, features);
    const outcome = await iterate(this.#engine, run, deriveSeed(seed, start), null);
    signal?.throwIfAborted();
    return outcome;
  }
}

/** Some of the documents, and the columns that are kept of them. */
interface Part {
  readonly X: Matrix;
  readonly weights: Float64Array | null;
  /** Null for all. */
  readonly kept: Uint32Array | null;
  /** Columns of all documents. */
  readonly width: number;
}

/** @param most so many documents */
function drawPart(Z: Matrix, weights: Float64Array | null, most: number): Part {
  const places = drawSome(Z.samples, most);
  const own = weights && Float64Array.from(places, (i) => weights[i]);
  const { X, kept } = dropColumns(Z.take(places), places.length < Z.samples ? LEAST_HOLDERS : 1);
  return { X, weights: own, kept, width: Z.features };
}

/** Evenly drawn places, at most so many. */
function drawSome(samples: number, most: number): Uint32Array {
  const count = Math.min(samples, most);
  return new Uint32Array(count).map((_, i) => Math.floor((i * samples) / count));
}

/** Without words that fewer than `least` of the documents have. @returns the columns that are kept */
function dropColumns(X: Matrix, least: number): { X: Matrix; kept: Uint32Array | null } {
  if (X.kind === "dense") return { X, kept: null };
  const holders = new Uint32Array(X.features);
  for (const f of X.indices) holders[f]++;
  const kept = Uint32Array.from(holders.keys()).filter((f) => holders[f] >= least);
  const places = new Int32Array(X.features).fill(-1);
  kept.forEach((f, place) => {
    places[f] = place;
  });
  const offsets = new Uint32Array(X.samples + 1);
  const indices = new Uint32Array(X.indices.length);
  const values = X.values.slice();
  let stored = 0;
  for (let i = 0; i < X.samples; i++) {
    for (let p = X.offsets[i]; p < X.offsets[i + 1]; p++) {
      const place = places[X.indices[p]];
      if (place < 0) continue;
      indices[stored] = place;
      values[stored++] = X.values[p];
    }
    offsets[i + 1] = stored;
  }
  const sparse = Sparse.trust(
    X.samples,
    Math.max(1, kept.length),
    offsets,
    indices.slice(0, stored),
    values.slice(0, stored),
  );
  return { X: sparse, kept };
}

function takeColumns({ samples: k, features, data }: Dense, kept: Uint32Array | null): Float64Array {
  if (kept === null) return Float64Array.from(data);
  const W = new Float64Array(k * kept.length);
  for (let j = 0; j < k; j++) {
    for (let at = 0; at < kept.length; at++) W[j * kept.length + at] = data[j * features + kept[at]];
  }
  return W;
}

function restoreColumns(W: Float64Array, k: number, kept: Uint32Array | null, features: number): Dense {
  if (kept === null) return new Dense(k, features, W);
  const out = Dense.zeros(k, features, "f64");
  const width = W.length / k;
  for (let j = 0; j < k; j++) {
    for (let at = 0; at < kept.length; at++) out.data[j * features + kept[at]] = W[j * width + at];
  }
  return out;
}
