import type { Floats } from "../../matrix/dense.js";
import type { Gaps } from "../../matrix/gaps.js";
import { uniform } from "../../random.js";
import { type PreparedPrototypes, roundShares } from "../prepared-prototypes.js";
import type { Codes, Labels, Step } from "../step.js";
import type { Sums } from "../sums.js";
import { divideRows } from "./divide.js";
import { addListed, correctScores } from "./gaps.js";
import { findAllErrors, sumErrors } from "./logistic.js";
import type { Rows } from "./rows.js";
import { argMax } from "./rules.js";

/** The most samples `Products` takes at a time. */
export const CHUNK = 256;
/** Samples whose HHᵀ is summed in 32 bits before it is added to sums of 64: there are few sums, whose errors do not cancel each other. */
export const GRAM_RUN = 16;

/**
 * What a sweep multiplies samples by, a chunk at a time: samples from … to − 1, at most `CHUNK`. An answer is good
 * until the next question. Every sum runs in the order of features, or samples, whoever computes it: the same bits.
 */
export interface Products {
  /** Makes a step ready; `prepared` for the one-hot rules, and for others in 32 bits. */
  begin(step: Step, prepared: PreparedPrototypes | null): void;
  /** (to − from) × k: ⟨x_i, w_j⟩. For the real-valued rules. */
  dots(from: number, to: number): Float64Array;
  /**
   * After `dots`: renews their columns of H by the step's rule; false where that must be done elsewhere.
   *
   * @param before IN (to − from) × k; null for zeros
   * @param H OUT (to − from) × k
   */
  renew(before: Float64Array | null, H: Float64Array): boolean;
  /**
   * Where codes stay in the kernels' memory: renews them and adds to HHᵀ and XHᵀ. How many changed; null where they are elsewhere, and
   * nothing was done.
   */
  refine?(before: Codes | null, next: Codes | null, from: number, to: number): number | null;
  /** p − y of samples of these classes, (to − from) × k. For `softmax`. */
  errors(from: number, to: number, classes: Labels): Float64Array;
  /** Adds the log losses of the same samples, and the gradient of them, to the sums: Σ ω (p − y) xᵀ to XHt, Σ ω (p − y) to HHt. */
  addErrors(from: number, to: number, classes: Labels, weights: Float64Array | null, sums: Sums): void;
  /** Renews columns of H by `divide`, and adds to the sums (kernel/plain/divide); XHt and listedCodes are complete after `finish` alone. */
  divide(
    from: number,
    to: number,
    before: Float64Array | null,
    H: Float64Array,
    weights: Float64Array | null,
    sums: Sums,
  ): void;
  /** ⟨x_i, w_j⟩ where j is the sample's label, in 64 bits. For `ray` and `race`. */
  own(from: number, to: number, labels: Uint32Array): Float64Array;
  /** The `uniform` numbers of the samples whose numbers begin with `first`. For `race`. */
  draws(seed: number, stream: number, first: number, count: number): Float64Array;
  /** The label of each sample's largest score. For the one-hot rules. */
  labels(from: number, to: number): Uint32Array;
  /**
   * Row j of S (k × m) += share · x_i for every share that is not 0; in 32 bits, a run of samples is summed and then added
   * to S. S is complete after `finish` alone.
   *
   * @param shares IN (to − from) × k
   */
  add(from: number, to: number, shares: Float64Array, S: Float64Array): void;
  /**
   * HHt (k × k) += shares · Hᵀ; in 32 bits as `add`, and complete after `finish` alone.
   *
   * @param H IN count × k
   * @param shares IN count × k
   */
  addCodes(H: Float64Array, shares: Float64Array, HHt: Float64Array): void;
  /** `known` += ω h hᵀ at the features that samples with gaps list, from `from` on (kernel/plain/gaps); complete after `finish` alone. */
  addListed(from: number, H: Float64Array, shares: Float64Array, known: Float64Array): void;
  /** Ends a block of samples, whose sums these are. @param goesOn XHt is exact and goes on in the next block */
  finish(sums: Sums, goesOn?: boolean): void;
}

/** Products one sample and one prototype after the other: the oracle, and what serves without WebAssembly. */
export function plainProducts(rows: Rows, gaps: Gaps | null = null): Products {
  let k = 0;
  let W: Float64Array = new Float64Array(0);
  let bias: Float64Array | undefined;
  let prepared: PreparedPrototypes | null = null;
  let begun: Step | null = null;
  return {
    begin(step, given) {
      begun = step;
      ({ k, W, bias } = step);
      prepared = given;
    },
    dots(from, to) {
      const out = new Float64Array((to - from) * k);
      for (let i = from, p = 0; i < to; i++, p += k) {
        const own = out.subarray(p, p + k);
        if (prepared === null) rows.dots(i, W, k, own);
        else rows.scores(i, prepared, own);
      }
      return prepared?.float32 ? scaleColumns(out, prepared.float32.scores) : out;
    },
    renew: () => false,
    errors(from, to, classes) {
      return findAllErrors(this.dots(from, to), k, bias!, classes).errors;
    },
    addErrors(from, to, classes, weights, sums) {
      const found = findAllErrors(this.dots(from, to), k, bias!, classes);
      sumErrors(found, weights, sums);
      this.add(from, to, found.errors, sums.XHt);
    },
    divide: (from, to, before, H, weights, sums) =>
      divideRows({ rows, gaps }, begun!, from, to, before, H, weights, sums),
    own: (from, _to, labels) => Float64Array.from(labels, (label, s) => rows.dot(from + s, W, label)),
    draws: (seed, stream, first, count) =>
      Float64Array.from({ length: count }, (_, s) => uniform(seed, stream, first + s)),
    labels(from, to) {
      const scores = new Float64Array(k);
      return Uint32Array.from({ length: to - from }, (_, s) => {
        rows.scores(from + s, prepared!, scores);
        if (gaps !== null) correctScores(gaps, from + s, begun!.rule !== "distance", prepared!, scores);
        return argMax(scores);
      });
    },
    add(from, to, shares, S) {
      const width = shares.length / (to - from);
      const sum = (first: number, shares: Floats, S: Floats) =>
        shares.forEach((share, p) => {
          if (share !== 0) rows.add(first + Math.floor(p / width), share, S, p % width);
        });
      if (!prepared?.float32) {
        sum(from, shares, S);
        return;
      }
      const { codes, grid, byTerm } = prepared.float32;
      if (byTerm && grid) {
        shares.forEach((share, p) => {
          if (share !== 0) rows.addExact(from + Math.floor(p / width), share, S as Float64Array, p % width, grid);
        });
        return;
      }
      const m = S.length / k;
      const { run } = prepared.float32;
      for (let at = 0; at < to - from; at += run) {
        const T = new Float32Array(S.length);
        sum(from + at, roundShares(shares.subarray(at * k, (at + run) * k), prepared.float32), T);
        for (let q = 0; q < S.length; q++) {
          const own = grid ? grid[q % m] : 0;
          S[q] += (T[q] + own - own) / codes[Math.floor(q / m)];
        }
      }
    },
    addCodes(H, shares, HHt) {
      if (prepared?.float32 && !prepared.float32.wideCodes) {
        addCodesIn32Bits(
          roundShares(H, prepared.float32),
          roundShares(shares, prepared.float32),
          prepared.float32.codes,
          HHt,
        );
        return;
      }
      for (let base = 0; base < H.length; base += k) {
        for (let r = 0; r < k; r++) {
          for (let s = 0; s < k; s++) HHt[r * k + s] += shares[base + r] * H[base + s];
        }
      }
    },
    addListed: (from, H, shares, known) => addListed(gaps!, from, H, shares, k, known),
    finish() {},
  };
}

/** Adds sums over runs of samples, which are symmetric. @param C IN count × k @param shares IN count × k */
function addCodesIn32Bits(C: Float32Array, shares: Float32Array, codes: Float64Array, HHt: Float64Array): void {
  const k = codes.length;
  for (let from = 0; from < C.length; from += k * GRAM_RUN) {
    const end = Math.min(from + k * GRAM_RUN, C.length);
    for (let r = 0; r < k; r++) {
      for (let s = r; s < k; s++) {
        let sum = 0;
        for (let base = from; base < end; base += k)
          sum = Math.fround(sum + Math.fround(shares[base + r] * C[base + s]));
        HHt[s * k + r] = HHt[r * k + s] += sum / (codes[r] * codes[s]);
      }
    }
  }
}

/** Rows times a number for each column, in place. */
function scaleColumns(rows: Float64Array, scales: Float64Array): Float64Array {
  for (let p = 0; p < rows.length; p++) rows[p] *= scales[p % scales.length];
  return rows;
}
