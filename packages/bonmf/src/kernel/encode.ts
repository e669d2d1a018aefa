import type { Matrix } from "../matrix/matrix.js";
import { gramOf, rowLengths } from "../matrix/prototypes.js";
import { CHUNK, plainProducts } from "./products.js";
import { rowsOf } from "./rows.js";
import { copyingProducts } from "./scratch.js";
import { allocateCodes, allocateLabels, type Codes, FORM, type Labels, type RuleName } from "./step.js";
import { zeroSums } from "./sums.js";
import { planStep, sweep } from "./sweep.js";

/** Times through the entries before a binary code counts as settled. */
const SETTLED = 100;

/**
 * The codes of samples for fixed prototypes: a function of each x and W alone, whatever a fit did before.
 *
 * @param W IN k × m
 */
export function encodeSamples(X: Matrix, rule: RuleName, W: Float64Array, k: number): Codes {
  const form = FORM[rule]!;
  const gram = form === "real" ? { gram: gramOf(W, k) } : {};
  const plan = planStep(
    { rule, k, W, ...gram, sweeps: SETTLED, fresh: true, codesOnly: true },
    X.features,
    X.precision,
    null,
  );
  const codes = allocateCodes(form, X.samples, k);
  const rows = rowsOf(X);
  const shard = {
    rows,
    products: copyingProducts(X, k) ?? plainProducts(rows),
    features: X.features,
    norms: new Float64Array(0),
    weights: null,
    offset: 0,
    nearest: () => new Float64Array(0),
  };
  shard.products.begin(plan.step, plan.pack);
  const sums = zeroSums(plan.layout);
  for (let from = 0; from < X.samples; from += CHUNK) {
    sweep(shard, plan, null, codes, from, Math.min(from + CHUNK, X.samples), sums);
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
 * One label a sample. One-hot codes have it. Of real codes it is the prototype that contributes most, argmax h_r‖w_r‖.
 * A binary column may have several ones or none: the largest ⟨x,w_r⟩/‖w_r‖² among its ones decides, else among all.
 */
export function labelCodes(X: Matrix, codes: Codes, rule: RuleName, W: Float64Array): Labels {
  if (codes.labels) return codes.labels;
  const { k } = codes;
  const H = codes.values!;
  const norms = rowLengths(W, k);
  const rows = rowsOf(X);
  const WtX = new Float64Array(k);
  const labels = allocateLabels(X.samples, k);
  for (let i = 0; i < X.samples; i++) {
    const h = H.subarray(i * k, (i + 1) * k);
    const binary = rule === "binary";
    if (binary) rows.dots(i, W, k, WtX);
    const none = binary && h.every((bit) => bit === 0);
    let most = Number.NEGATIVE_INFINITY;
    for (let r = 0; r < k; r++) {
      if (binary && !none && h[r] === 0) continue;
      const score = binary ? (norms[r] > 0 ? WtX[r] / (norms[r] * norms[r]) : 0) : h[r] * norms[r];
      if (score > most) {
        most = score;
        labels[i] = r;
      }
    }
  }
  return labels;
}
