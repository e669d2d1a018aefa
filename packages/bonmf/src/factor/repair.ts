import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import { encodeSamples } from "../kernel/encode.js";
import type { Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import { Dense } from "../matrix/dense.js";
import { rowLengths } from "../matrix/prototypes.js";
import type { Method, State } from "./method.js";
import { gramOnce } from "./update.js";

/**
 * The clusters of a one-hot method that have no weight or, by angle, no direction: all-zero samples give none. Of real codes,
 * the components that no sample uses.
 */
export function emptyClusters(method: Method, { HHt, XHt }: Sums, k: number): number[] {
  const m = XHt.length / k;
  const isEmpty = (j: number) => {
    if (method.form === "real") return HHt[j * (k + 1)] === 0;
    return method.fit === "distance" ? HHt[j] === 0 : !hasLength(XHt, j * m, (j + 1) * m);
  };
  return Array.from({ length: k }, (_, j) => j).filter(isEmpty);
}

/** Whether the squares of some numbers add up to more than 0; those that are too small do not. */
function hasLength(numbers: Float64Array, from: number, to: number): boolean {
  for (let q = from; q < to; q++) if (numbers[q] * numbers[q] > 0) return true;
  return false;
}

/**
 * Gives every empty cluster the sample that fits its own cluster worst, never the last member of one. The totals change
 * as if the sample had moved; the next sweep moves it. One sweep to find the samples, and only when there is need.
 *
 * @returns the repaired totals and how many clusters were filled
 */
export async function repairEmpty(
  engine: Engine,
  method: Method,
  { W, sums }: State,
  k: number,
  { signed, ...exact }: Pick<Step, "unit" | "grid" | "weightGrid"> & { readonly signed: boolean },
  signal?: AbortSignal,
): Promise<State & { readonly filled: number }> {
  const empty = emptyClusters(method, sums, k);
  const step = { rule: "hold", k, W, ...exact, fit: method.fit, rank: k } as const;
  const held = totalStats(await engine.pass(step, signal));
  const m = engine.features;
  const XHt = sums.XHt.slice();
  const HHt = sums.HHt.slice();
  let filled = 0;
  for (const worst of held.ranked) {
    if (filled === empty.length) break;
    const { id, label, value, weight } = worst;
    const x = Float64Array.from((await engine.rows([id])).data);
    const [length] = rowLengths(x, 1);
    const scale = exact.unit ? 1 / length : 1;
    // What rounding leaves below 0 is no part of a non-negative sum.
    const least = signed ? Number.NEGATIVE_INFINITY : 0;
    const rest = XHt.slice(label * m, (label + 1) * m).map((s, f) =>
      Math.max(least, s - weight * value * scale * x[f]),
    );
    // A cluster that is this sample, or has no other direction, would be emptied in turn.
    const left = method.fit === "distance" ? HHt[label] - weight : rowLengths(rest, 1)[0] / (value * scale * length);
    if (left <= 1e-12 * weight) continue;
    const coefficient = method.form === "rays" ? length : 1;
    const j = empty[filled++];
    XHt.set(rest, label * m);
    for (let f = 0; f < m; f++) XHt[j * m + f] = weight * coefficient * scale * x[f];
    HHt[label] -= weight * value * value;
    HHt[j] = weight * coefficient * coefficient;
  }
  return { W, sums: { ...sums, XHt, HHt }, filled };
}

/** A residual shorter than this share of its sample is what solving left, no new direction. */
const NEW = 1e-6;

/**
 * Gives every component that no sample uses what is left of the sample that fits worst, max(0, x − Wh). No loss changes, since
 * nothing uses the component yet; the next H step decides how much of it each sample takes.
 *
 * @returns the W with other rows, and how many
 */
export async function reviveDead(
  engine: Engine,
  method: Method,
  { W, sums }: State,
  k: number,
  signal?: AbortSignal,
): Promise<State & { readonly filled: number }> {
  const dead = emptyClusters(method, sums, k);
  const step = { rule: "hold", k, W, gram: gramOnce(W, k), rank: k, codesOnly: true } as const;
  const { ranked } = totalStats(await engine.pass(step, signal));
  const m = engine.features;
  const revived = W.slice();
  for (const r of dead) revived.fill(0, r * m, (r + 1) * m);
  let filled = 0;
  for (const { id } of ranked) {
    if (filled === dead.length) break;
    const x = new Dense(1, m, Float64Array.from((await engine.rows([id])).data));
    const rest = x.data.slice();
    const { values } = encodeSamples(x, "nnls", revived, k);
    for (let q = 0; q < revived.length; q++) rest[q % m] -= values![Math.floor(q / m)] * revived[q];
    const part = Float64Array.from(rest, (value) => Math.max(0, value));
    const [length] = rowLengths(part, 1);
    if (!(length > NEW * rowLengths(x.data as Float64Array, 1)[0])) continue;
    // W and H share the unit of X, as they do after NNDSVD: labels must not depend on it.
    const root = Math.sqrt(length);
    for (let f = 0; f < m; f++) revived[dead[filled] * m + f] = part[f] / root;
    filled++;
  }
  return { W: filled > 0 ? revived : W, sums, filled };
}
