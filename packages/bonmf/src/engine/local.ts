import { OptionError } from "../errors.js";
import { CHUNK, type Products, plainProducts } from "../kernel/products.js";
import { rowsOf } from "../kernel/rows.js";
import { allocateCodes, type Codes, FORM, type Form, type Step } from "../kernel/step.js";
import { zeroSums } from "../kernel/sums.js";
import { planStep, type Shard, sweep } from "../kernel/sweep.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Engine } from "./engine.js";
import { blockSize, emptyStats, pushStats } from "./stats.js";
import { breathe } from "./yield.js";

export interface LocalOptions {
  /** ω, one number a sample. */
  weights?: Float64Array | null;
  /** Where these samples begin in the whole data; must be a block boundary. */
  offset?: number;
  /** How many samples the whole data has. */
  total?: number;
  /** ‖x‖ of every sample, where they are known already. */
  norms?: Float64Array;
}

/**
 * Sweeps in the calling thread, giving way to other work every few milliseconds.
 *
 * @param products how samples are multiplied; plainly if not given
 */
export function local(X: Matrix, options: LocalOptions = {}, products?: Products): Engine {
  const { weights = null, offset = 0, total = X.samples } = options;
  const block = blockSize(total);
  if (offset % block !== 0) {
    throw new OptionError("offset", offset, `a shard must begin at a multiple of ${block} samples, not at ${offset}`);
  }
  const rows = rowsOf(X);
  const norms = options.norms ?? Float64Array.from({ length: X.samples }, (_, i) => Math.sqrt(rows.normSq(i)));

  let nearest: Float64Array | null = null;
  const shard: Shard = {
    rows,
    products: products ?? plainProducts(rows),
    features: X.features,
    norms,
    weights,
    offset,
    nearest() {
      nearest ??= new Float64Array(X.samples).fill(Number.POSITIVE_INFINITY);
      return nearest;
    },
  };

  let codes: Codes | null = null;
  let spare: Codes | null = null;
  const fits = (held: Codes | null, form: Form, k: number) => held !== null && held.form === form && held.k === k;

  return {
    samples: X.samples,
    features: X.features,

    async pass(step: Step, signal?: AbortSignal) {
      signal?.throwIfAborted();
      const form = FORM[step.rule];
      let next = codes;
      if (form !== null) {
        next = fits(spare, form, step.k) ? spare : allocateCodes(form, X.samples, step.k);
      }
      const plan = planStep(step, X.features, X.precision, codes);
      shard.products.begin(step, plan.pack);
      const stats = emptyStats(step.rank ?? (step.rule === "race" ? 1 : 0));
      for (let from = 0; from < X.samples; from += block) {
        const sums = zeroSums(plan.layout);
        const end = Math.min(from + block, X.samples);
        for (let at = from; at < end; at += CHUNK) {
          sweep(shard, plan, codes, next, at, Math.min(at + CHUNK, end), sums);
          const pause = breathe();
          if (pause !== null) {
            await pause;
            signal?.throwIfAborted();
          }
        }
        shard.products.finish(sums.XHt);
        pushStats(stats, (offset + from) / block, 0, sums);
      }
      if (form !== null) {
        spare = codes;
        codes = next;
      }
      if (step.rule !== "race") nearest = null;
      return stats;
    },

    async revert() {
      [codes, spare] = [spare, codes];
    },

    async rows(ids) {
      return X.take(Uint32Array.from(ids, (id) => id - offset)).toDense();
    },

    async gather() {
      if (codes === null) throw new OptionError("codes", null, "no pass has assigned anything yet");
      return { ...codes, labels: codes.labels?.slice() ?? null, values: codes.values?.slice() ?? null };
    },

    async scatter(given: Codes) {
      const own = allocateCodes(given.form, X.samples, given.k);
      own.labels?.set(given.labels!);
      own.values?.set(given.values!);
      codes = own;
    },

    async close() {
      codes = spare = nearest = null;
    },
  };
}

/** The samples a shard holds as a view of the whole: blocks first … last − 1 of the data. */
export function shardOf(X: Matrix, first: number, last: number): Matrix {
  const block = blockSize(X.samples);
  return X.slice(Math.min(first * block, X.samples), Math.min(last * block, X.samples)) as Matrix;
}
