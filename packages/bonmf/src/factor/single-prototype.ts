import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Survey } from "../engine/survey.js";
import type { Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import { normaliseRows, rowLengths } from "../matrix/prototypes.js";
import type { Method } from "./method.js";

/**
 * The error ‖X − w hᵀ‖ / ‖X‖ of the best single prototype: what k = 1 leaves, against which the error of k prototypes is
 * told. Codes that are 0 or 1: w is the mean of all samples. Real ones: w is the leading singular vector.
 */

/** For plain labels, from the totals of any sweep: the clusters' sums add up to the sum of all samples. */
export function singleErrorOf({ XHt, HHt }: Sums, { normSq }: Survey): number {
  const k = HHt.length;
  const m = XHt.length / k;
  const total = new Float64Array(m);
  for (let p = 0; p < XHt.length; p++) total[p % m] += XHt[p];
  const weight = HHt.reduce((sum, count) => sum + count, 0);
  const explained = weight > 0 ? rowLengths(total, 1)[0] ** 2 / weight : 0;
  return errorOf(normSq - explained, normSq);
}

/** The largest singular value is known well enough when a step adds less than this share. */
const SETTLED = 1e-9;
const MOST_STEPS = 30;

/** For the other forms, in a few sweeps of one prototype each; codes stay as they are. */
export async function measureSingleError(
  engine: Engine,
  method: Method,
  survey: Survey,
  signal?: AbortSignal,
): Promise<number> {
  const { normSq } = survey;
  const m = engine.features;
  const pass = async (step: Omit<Step, "k">) => totalStats(await engine.pass({ ...step, k: 1 }, signal));
  // h = max(1, 0·⟨x,w⟩) = 1: the sum of all samples.
  const all = await pass({ rule: "probe", W: new Float64Array(m), gram: new Float64Array(1), floor: 1 });
  if (method.encode === "binary") return singleErrorOf(all, survey);
  let explained = 0;
  for (let step = 0, sums = all; step < MOST_STEPS; step++) {
    const before = explained;
    sums = await pass({ rule: "probe", W: normaliseRows(sums.XHt.slice(), 1) });
    explained = sums.HHt[0];
    if (!(explained > before * (1 + SETTLED))) break;
  }
  return errorOf(normSq - explained, normSq);
}

function errorOf(loss: number, normSq: number): number {
  return normSq > 0 ? Math.sqrt(Math.max(0, loss) / normSq) : 0;
}
