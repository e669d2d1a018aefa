import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Survey } from "../engine/survey.js";
import { cycleRowsEach } from "../kernel/simd/prototype-products.js";
import type { Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import type { Method, State } from "./method.js";
import { emptyClusters } from "./repair.js";
import { measureSingleError } from "./single-prototype.js";
import { type cyclingFor, cyclingForW, errorOf, gramOnce } from "./update.js";

/**
 * The W steps and the loss of samples with gaps, over known entries alone. W and XHt are k × m; `known` holds HHᵀ of the samples
 * that have each feature, so that every feature has normal equations of its own.
 */

type Totals = Pick<Sums, "XHt" | "HHt" | "known">;

/** Whether totals are those of samples with gaps. */
export function hasGaps({ known }: Totals): boolean {
  return known.length > 0;
}

/** The method with W steps and potential of known entries, where samples have gaps. */
export function methodOfKnown(method: Method): Method {
  return {
    ...method,
    updateW: (W, sums, settings, survey, in32Bits) =>
      hasGaps(sums)
        ? updateKnown(method, W, sums, settings.k, survey)
        : method.updateW(W, sums, settings, survey, in32Bits),
    potential: (state, survey, settings) =>
      hasGaps(state.sums)
        ? potentialOfKnown(method, state, survey, settings.k)
        : method.potential(state, survey, settings),
  };
}

function updateKnown({ name, form }: Method, W: Float64Array, sums: Sums, k: number, survey: Survey): Float64Array {
  if (form === "labels") return meanOfKnown(W, sums);
  return name === "hals" ? cycleKnown(W, sums, k, cyclingForW(W, k, survey)) : multiplyKnown(W, sums, k);
}

function potentialOfKnown({ form, fit }: Method, state: State, survey: Survey, k: number): number {
  if (form !== "labels") return lossOfKnown(state.W, state.sums, k, survey.normSq);
  return fit === "distance" ? leastError(state, survey) : sumCosines(state, k);
}

/** Means of the known values of each cluster; where there are none, W as it was. */
function meanOfKnown(W: Float64Array, { XHt, known }: Totals): Float64Array {
  const means = new Float64Array(W.length);
  for (let q = 0; q < means.length; q++) means[q] = known[q] > 0 ? XHt[q] / known[q] : W[q];
  return means;
}

/** J = Σ_i ⟨x_i, w⟩/‖w‖ of known entries, w being the mean of the known values of the sample's cluster. */
function sumCosines({ W, sums: { XHt, known } }: State, k: number): number {
  const m = W.length / k;
  let J = 0;
  for (let row = 0; row < W.length; row += m) {
    let [product, square] = [0, 0];
    for (let q = row; q < row + m; q++) {
      const mean = known[q] > 0 ? XHt[q] / known[q] : W[q];
      product += mean * XHt[q];
      square += mean * mean;
    }
    if (square > 0) J += product / Math.sqrt(square);
  }
  return J;
}

/** The squared error that the means of these clusters leave. */
function leastError({ sums: { XHt, known } }: State, { normSq }: Survey): number {
  let explained = 0;
  for (let q = 0; q < XHt.length; q++) if (known[q] > 0) explained += (XHt[q] * XHt[q]) / known[q];
  return Math.max(0, normSq - explained);
}

/** A feature's HHᵀ times its column of W. @param at where the feature's triangle begins @param out OUT k */
function multiplyTriangle(known: Float64Array, at: number, w: Float64Array, k: number, out: Float64Array): void {
  for (let r = 0, t = at; r < k; r++, t++) {
    let sum = 0;
    for (let s = 0; s < r; s++, t++) {
      sum += known[t] * w[s];
      out[s] += known[t] * w[r];
    }
    out[r] = sum + known[t] * w[r];
  }
}

/** W feature by feature, as `renew` changes the k numbers of one. @param renew given W's and XHᵀ's k numbers of feature f */
function renewFeatures(
  W: Float64Array,
  { XHt, known }: Totals,
  k: number,
  renew: (w: Float64Array, XHt: Float64Array, at: number) => void,
): Float64Array {
  const m = W.length / k;
  const out = new Float64Array(W.length);
  const w = new Float64Array(k);
  const b = new Float64Array(k);
  const width = known.length / m;
  for (let f = 0; f < m; f++) {
    for (let r = 0; r < k; r++) {
      w[r] = W[r * m + f];
      b[r] = XHt[r * m + f];
    }
    renew(w, b, f * width);
    for (let r = 0; r < k; r++) out[r * m + f] = w[r];
  }
  return out;
}

/** Lee and Seung's W step for known entries: W ∘ ((M∘X)Hᵀ) ⊘ ((M∘WH)Hᵀ). */
export function multiplyKnown(W: Float64Array, sums: Totals, k: number): Float64Array {
  const below = new Float64Array(k);
  return renewFeatures(W, sums, k, (w, b, at) => {
    multiplyTriangle(sums.known, at, w, k, below);
    for (let r = 0; r < k; r++) {
      const value = (w[r] * b[r]) / below[r];
      w[r] = value > 0 && value < Number.POSITIVE_INFINITY ? value : 0;
    }
  });
}

/** Each entry of W in turn its non-negative optimum, several times and on in that direction, feature by feature. */
export function cycleKnown(
  W: Float64Array,
  { XHt, known, HHt }: Totals,
  k: number,
  cycling: ReturnType<typeof cyclingFor>,
): Float64Array {
  return cycleRowsEach(W, XHt, known, HHt, k, cycling);
}

/** ‖X − WH‖² over known entries. */
export function lossOfKnown(W: Float64Array, sums: Totals, k: number, normSq: number): number {
  return Math.max(0, normSq + changeOfKnown(W, sums, k));
}

function changeOfKnown(W: Float64Array, sums: Totals, k: number): number {
  const { XHt, HHt, known } = sums;
  let change = 0;
  if (HHt.length === k && k > 1) {
    for (let q = 0; q < W.length; q++) change += W[q] * (W[q] * known[q] - 2 * XHt[q]);
    return change;
  }
  const Gw = new Float64Array(k);
  renewFeatures(W, sums, k, (w, b, at) => {
    multiplyTriangle(known, at, w, k, Gw);
    for (let r = 0; r < k; r++) change += w[r] * (Gw[r] - 2 * b[r]);
  });
  return change;
}

/**
 * Puts a sample that fits its own cluster worst, its gaps filled by means, into the row of W of every cluster without members,
 * which the W step then keeps.
 */
export async function refillKnown(
  engine: Engine,
  method: Method,
  { W, sums }: State,
  k: number,
  exact: Pick<Step, "unit" | "grid" | "weightGrid">,
  signal?: AbortSignal,
): Promise<State & { readonly filled: number }> {
  const empty = emptyClusters(method, sums, k);
  const step = { rule: "hold", k, W, ...exact, fit: method.fit, rank: k } as const;
  const { ranked } = totalStats(await engine.pass(step, signal));
  const m = engine.features;
  const refilled = W.slice();
  const left = sums.HHt.slice();
  let filled = 0;
  for (const { id, label, weight } of ranked) {
    if (filled === empty.length) break;
    // A cluster that is this sample alone would be emptied in turn.
    if (left[label] - weight <= 1e-12 * weight) continue;
    left[label] -= weight;
    refilled.set(Float64Array.from((await engine.rows([id])).data), empty[filled++] * m);
  }
  return { W: refilled, sums, filled };
}

/** A step that lowers the squared error by less than this share is the last. */
const LEAST_GAIN = 1e-7;
const MOST_STEPS = 30;

/**
 * The error of the best single prototype over known entries. Codes that are 0 or 1: the means of known values. Real ones:
 * alternating least squares with one component. Replaces the codes in the engine.
 */
export async function singleErrorOfKnown(
  engine: Engine,
  method: Method,
  survey: Survey,
  signal?: AbortSignal,
): Promise<number> {
  const { normSq } = survey;
  const m = engine.features;
  const pass = async (step: Step) => totalStats(await engine.pass(step, signal));
  // h = max(1, 0·⟨x,w⟩) = 1.
  const ones: Step = { rule: "linear", k: 1, W: new Float64Array(m), gram: new Float64Array(1), floor: 1 };
  let sums = await pass(ones);
  if (!hasGaps(sums)) return measureSingleError(engine, method, survey, signal);
  let W: Float64Array = meanOfKnown(new Float64Array(m), sums);
  let loss = lossOfKnown(W, sums, 1, normSq);
  if (method.encode === "binary" || method.form === "labels") return errorOf(loss, normSq);
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = loss;
    sums = await pass({ rule: "nnls", k: 1, W, gram: gramOnce(W, 1) });
    W = meanOfKnown(W, sums);
    loss = lossOfKnown(W, sums, 1, normSq);
    if (!(loss < before * (1 - LEAST_GAIN))) break;
  }
  return errorOf(loss, normSq);
}

/** The same for labels, from the totals of any sweep. */
export function singleErrorOfLabels({ XHt, known }: Totals, m: number, normSq: number): number {
  const totals = new Float64Array(m);
  const counts = new Float64Array(m);
  for (let q = 0; q < XHt.length; q++) {
    totals[q % m] += XHt[q];
    counts[q % m] += known[q];
  }
  const explained = totals.reduce((sum, total, f) => sum + (counts[f] > 0 ? (total * total) / counts[f] : 0), 0);
  return errorOf(normSq - explained, normSq);
}
