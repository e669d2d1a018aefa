import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Sums } from "../kernel/sums.js";
import type { Method, State } from "./method.js";

/** The empty clusters of a one-hot method's totals. */
export function emptyClusters({ HHt }: Sums, k: number): number[] {
  return Array.from({ length: k }, (_, j) => j).filter((j) => HHt[j] === 0);
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
  signal?: AbortSignal,
): Promise<{ sums: Sums; filled: number }> {
  const empty = emptyClusters(sums, k);
  const unit = method.unit ?? false;
  const step = { rule: "hold", k, W, unit, fit: method.fit, rank: k } as const;
  const held = totalStats(await engine.pass(step, signal));
  const m = engine.features;
  const XHt = sums.XHt.slice();
  const HHt = sums.HHt.slice();
  let filled = 0;
  for (const worst of held.ranked) {
    if (filled === empty.length) break;
    const { id, label, value, weight } = worst;
    // A cluster whose whole weight is this sample's would be emptied in turn.
    if (HHt[label] <= weight * value * value * (1 + 1e-12)) continue;
    const x = (await engine.rows([id])).data;
    let length = 0;
    for (const v of x) length += v * v;
    length = Math.sqrt(length);
    const scale = unit ? 1 / length : 1;
    const coefficient = method.form === "rays" ? length : 1;
    const j = empty[filled++];
    for (let f = 0; f < m; f++) {
      XHt[label * m + f] = Math.max(0, XHt[label * m + f] - weight * value * scale * x[f]);
      XHt[j * m + f] = weight * coefficient * scale * x[f];
    }
    HHt[label] -= weight * value * value;
    HHt[j] = weight * coefficient * coefficient;
  }
  return { sums: { ...sums, XHt, HHt }, filled };
}
