import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import { rowLengths } from "../matrix/prototypes.js";
import type { Method, State } from "./method.js";

/** The clusters of a one-hot method that have no weight or, by angle, no direction: all-zero samples give none. */
export function emptyClusters(method: Method, { HHt, XHt }: Sums, k: number): number[] {
  const sizes = method.fit === "distance" ? HHt : rowLengths(XHt, k);
  const empty: number[] = [];
  for (let j = 0; j < k; j++) if (sizes[j] === 0) empty.push(j);
  return empty;
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
  exact: Pick<Step, "unit" | "grid" | "weightGrid">,
  signal?: AbortSignal,
): Promise<{ sums: Sums; filled: number }> {
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
    const rest = XHt.slice(label * m, (label + 1) * m).map((s, f) => Math.max(0, s - weight * value * scale * x[f]));
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
  return { sums: { ...sums, XHt, HHt }, filled };
}
