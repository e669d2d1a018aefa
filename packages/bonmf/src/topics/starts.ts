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

/** Starts are tried on so many documents: at least, and of each topic. More would only take longer. */
const DOCUMENTS = 3000;
const OF_EACH = 50;
/** Starts that are tried: many where a full sweep takes at most so many multiply-adds. */
const MANY = 10;
const FEW = 5;
const CHEAP = 2 ** 26;
/** Sweeps after which starts are compared, and those of NMF between two of them. */
const SHORT = 8;
/** Where mixing raises the objective by more than this share, it is kept and done again; less may be that of a few more sweeps. */
const WORTH = 0.005;

export interface StartOptions {
  readonly k: number;
  /** One-hot. */
  readonly method: MethodName;
  readonly seed: number | undefined;
  /** How many starts; default 5 or, where that is cheap, 10. */
  readonly restarts: number | undefined;
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
  const { k, method, seed = 0, signal } = options;
  const places = drawSome(Z.samples, Math.max(DOCUMENTS, OF_EACH * k));
  // Of some documents, words that a single one has tell no topic.
  const { X, kept } = dropColumns(Z.take(places), places.length < Z.samples ? 2 : 1);
  const { samples, features } = X;
  const restarts = options.restarts ?? (samples * features * k <= CHEAP ? MANY : FEW);
  const source = memorySource(X, weights && Float64Array.from(places, (i) => weights[i]));
  const engine = await source.open({ k, form: METHODS[method].form, threads: 1, effort: k });
  const tries = new Tries(engine, { k, method, seed, signal });
  try {
    let best = await tries.begin(0);
    for (let start = 1; start < restarts; start++) best = tries.better(best, await tries.begin(start));
    for (let mixes = restarts > 1 && k > 1; mixes; ) {
      const other = await tries.goOn(await tries.mix(best));
      mixes = tries.gain(best, other) > WORTH;
      if (mixes) best = other;
    }
    return restoreColumns(best.W, k, kept, Z.features);
  } finally {
    await engine.close();
  }
}

interface Try extends Omit<StartOptions, "restarts"> {
  readonly seed: number;
}

/** Short runs on some documents. */
class Tries {
  readonly #engine: Engine;
  readonly #options: Try;

  constructor(engine: Engine, options: Try) {
    this.#engine = engine;
    this.#options = options;
  }

  /** From documents taken for prototypes. */
  begin(start: number): Promise<Outcome> {
    return this.#run(this.#options.method, "plusplus", start);
  }

  goOn({ W }: Outcome): Promise<Outcome> {
    return this.#run(this.#options.method, W);
  }

  /** By NMF. */
  mix({ W }: Outcome): Promise<Outcome> {
    return this.#run("hals", W);
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

  async #run(method: MethodName, init: "plusplus" | Float64Array, start = 0): Promise<Outcome> {
    const { k, seed, signal } = this.#options;
    const { samples, features } = this.#engine;
    const given = typeof init === "string" ? init : new Dense(k, features, init);
    const run = resolveOptions({ k, method, seed, init: given, maxIterations: SHORT, signal }, samples, features);
    const outcome = await iterate(this.#engine, run, deriveSeed(seed, start), null);
    signal?.throwIfAborted();
    return outcome;
  }
}

/** Evenly drawn places, at most so many. */
function drawSome(samples: number, most: number): Uint32Array {
  const count = Math.min(samples, most);
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * samples) / count));
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

function restoreColumns(W: Float64Array, k: number, kept: Uint32Array | null, features: number): Dense {
  if (kept === null) return new Dense(k, features, W);
  const out = Dense.zeros(k, features, "f64");
  const width = W.length / k;
  for (let j = 0; j < k; j++) {
    for (let at = 0; at < kept.length; at++) out.data[j * features + kept[at]] = W[j * width + at];
  }
  return out;
}
