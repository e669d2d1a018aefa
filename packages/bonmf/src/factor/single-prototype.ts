import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Survey } from "../engine/survey.js";
import type { Step } from "../kernel/step.js";
import { normaliseRows } from "../matrix/prototypes.js";
import type { Method } from "./method.js";
import { errorOf, singleErrorOf } from "./update.js";

/**
 * The error ‖X − w hᵀ‖ / ‖X‖ of the best single prototype: what k = 1 leaves, against which the error of k prototypes is
 * told. Codes that are 0 or 1: w is the mean of all samples. Real ones: w is the leading singular vector.
 */

/** The largest singular value is known well enough when a step adds less than this share. */
const SETTLED = 1e-9;
const MOST_STEPS = 30;

/** For codes that are no plain labels, in a few sweeps of one prototype each; codes stay as they are. */
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
