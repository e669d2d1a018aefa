import { type Gaps, sliceGaps } from "../matrix/gaps.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { countTogether, type Steps } from "../steps.js";
import { CHUNK, plainProducts } from "./plain/products.js";
import { rowsOf } from "./plain/rows.js";
import { prepareStep, sweep } from "./plain/sweep.js";
import { findLabels } from "./simd/labels.js";
import { correlate } from "./simd/prototype-products.js";
import { copyingProducts } from "./simd/scratch.js";
import { allocateCodes, allocateLabels, type Codes, FORM, type Labels, type RuleName, type Step } from "./step.js";
import { zeroSums } from "./sums.js";

/** Times through the entries before a binary code counts as settled. */
const SETTLED = 100;
/** The same of codes by `divide`, which end earlier where they have settled. */
const DIVIDED = 200;

/** Penalties on the code of a sample: the weights of Σh and ½Σh². */
export type CodePenalty = Required<Pick<Step, "l1" | "l2">>;

const FREE: CodePenalty = { l1: 0, l2: 0 };

/**
 * The sweep that encodes samples on fixed prototypes: a function of each x and W alone, whatever a fit did before.
 *
 * @param W IN k × m
 */
export function encodingStep(rule: RuleName, W: Float64Array, k: number, penalty = FREE): Step {
  const step = { rule, k, W, sweeps: SETTLED, fresh: true, codesOnly: true };
  if (rule === "divide") return { ...step, ...penalty, sweeps: DIVIDED };
  if (FORM[rule] !== "real") return step;
  const gram = correlate(W, W, k);
  for (let p = 0; p < gram.length; p += k + 1) gram[p] += penalty.l2;
  return { ...step, gram, l1: penalty.l1 };
}

/**
 * The sweep after which the codes are ⟨x_i, w_j⟩.
 *
 * @param W IN k × m
 */
export function productStep(W: Float64Array, k: number): Step {
  const gram = Float64Array.from({ length: k * k }, (_, at) => (at % (k + 1) === 0 ? 1 : 0));
  return { rule: "linear", k, W, gram, codesOnly: true };
}

/** The codes of samples for fixed prototypes. @param gaps what is missing of the samples */
export function encodeSamples(
  X: Matrix,
  rule: RuleName,
  W: Float64Array,
  k: number,
  gaps: Gaps | null = null,
  penalty = FREE,
): Codes {
  const oneHot = rule === "cosine" || rule === "distance";
  const labels = oneHot ? findLabels(X, rule, W, k, gaps) : null;
  if (labels !== null) return { form: "labels", k, labels, values: null };
  const ready = prepareStep(encodingStep(rule, W, k, penalty), X.features, X.precision, null, gaps);
  const codes = allocateCodes(FORM[rule]!, X.samples, k);
  const rows = rowsOf(X);
  const shard = {
    rows,
    products: copyingProducts(X, k, gaps) ?? plainProducts(rows, gaps),
    features: X.features,
    norms: new Float64Array(0),
    weights: null,
    gaps,
    offset: 0,
    nearest: () => new Float64Array(0),
  };
  shard.products.begin(ready.step, ready.prepared);
  const sums = zeroSums(ready.layout);
  for (let from = 0; from < X.samples; from += CHUNK) {
    sweep(shard, ready, null, codes, from, Math.min(from + CHUNK, X.samples), sums);
  }
  return codes;
}

/** Fewer samples are not encoded at a time: preparing the prototypes would take longer. */
const FEWEST = 1024;

/** The same as {@link encodeSamples}, step by step, for callers that pause it. */
export function* encodeSteps(
  X: Matrix,
  rule: RuleName,
  W: Float64Array,
  k: number,
  gaps: Gaps | null = null,
  penalty = FREE,
): Steps<Codes> {
  const together = Math.max(FEWEST, countTogether(k * X.features));
  const codes = allocateCodes(FORM[rule]!, X.samples, k);
  for (let from = 0; from < X.samples; from += together) {
    const to = Math.min(from + together, X.samples);
    const { labels, values } = encodeSamples(X.slice(from, to), rule, W, k, gaps && sliceGaps(gaps, from, to), penalty);
    if (labels) codes.labels!.set(labels, from);
    if (values) codes.values!.set(values, codes.form === "real" ? from * k : from);
    yield;
  }
  return codes;
}

/**
 * ⟨x_i, w_j⟩, n × k.
 *
 * @param W IN k × m
 */
export function multiplySamples(X: Matrix, W: Float64Array, k: number): Float64Array {
  const products = copyingProducts(X, k) ?? plainProducts(rowsOf(X));
  products.begin({ rule: "linear", k, W }, null);
  const out = new Float64Array(X.samples * k);
  for (let from = 0; from < X.samples; from += CHUNK) {
    out.set(products.dots(from, Math.min(from + CHUNK, X.samples)), from * k);
  }
  return out;
}

/**
 * The probabilities of a logistic model, n × r: of each class, or of the second of two.
 *
 * @param W IN r × m
 * @param bias IN r intercepts
 */
export function findProbabilities(X: Matrix, W: Float64Array, bias: Float64Array): Float64Array {
  const r = bias.length;
  const products = copyingProducts(X, r) ?? plainProducts(rowsOf(X));
  products.begin({ rule: "softmax", k: r, W, bias }, null);
  const out = new Float64Array(X.samples * r);
  const labels = new Uint32Array(CHUNK);
  for (let from = 0; from < X.samples; from += CHUNK) {
    const to = Math.min(from + CHUNK, X.samples);
    out.set(products.errors(from, to, labels.subarray(0, to - from)), from * r);
  }
  // The error of the first class is its probability less 1, or that of the second of two.
  if (r > 1) for (let p = 0; p < out.length; p += r) out[p] += 1;
  return out;
}

/** The cluster of each sample, found anew on fixed prototypes. */
export function labelSamples(
  X: Matrix,
  rule: RuleName,
  W: Float64Array,
  k: number,
  gaps: Gaps | null = null,
  penalty = FREE,
): Labels {
  const codes = encodeSamples(X, rule, W, k, gaps, penalty);
  return labelCodes(codes, W, rule === "binary" ? multiplySamples(X, W, k) : null);
}

/**
 * One label a sample. One-hot codes have it. Of real codes it is the prototype that contributes most, argmax h_r‖w_r‖.
 * A binary column may have several ones or none: the largest ⟨x,w_r⟩/‖w_r‖² among its ones decides, else among all.
 *
 * @param W IN k × m
 * @param WtX IN n × k for binary codes, else null
 */
export function labelCodes({ k, labels, values }: Codes, W: Float64Array, WtX: Float64Array | null): Labels {
  if (labels) return labels;
  const norms = rowLengths(W, k);
  const samples = values!.length / k;
  const found = allocateLabels(samples, k);
  if (WtX === null) {
    for (let i = 0, p = 0; i < samples; i++, p += k) {
      let most = 0;
      for (let r = 1; r < k; r++) if (values![p + r] * norms[r] > values![p + most] * norms[most]) most = r;
      found[i] = most;
    }
    return found;
  }
  for (let i = 0; i < samples; i++) {
    const h = values!.subarray(i * k, (i + 1) * k);
    const none = h.every((bit) => bit === 0);
    let most = Number.NEGATIVE_INFINITY;
    for (let r = 0; r < k; r++) {
      if (!none && h[r] === 0) continue;
      const score = norms[r] > 0 ? WtX[i * k + r] / (norms[r] * norms[r]) : 0;
      if (score > most) {
        most = score;
        found[i] = r;
      }
    }
  }
  return found;
}
