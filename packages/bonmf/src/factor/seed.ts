import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import type { Survey } from "../engine/survey.js";
import { correlate, multiplyGram } from "../kernel/simd/prototype-products.js";
import type { Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import { normaliseRows, rowLengths } from "../matrix/prototypes.js";
import { pseudoInverse } from "../matrix/symmetric.js";
import { Random, STREAM, uniform } from "../random.js";
import type { Method } from "./method.js";
import { nndsvd } from "./nndsvd.js";
import type { Run, Settings } from "./settings.js";

/** `columns` draws from the longest samples, and averages some into one prototype. */
const LONGEST = 30;
const AVERAGED = 10;

/** How many of the longest samples an initialisation needs. */
export function countLongest({ init }: Settings): number {
  return init === "columns" ? LONGEST : 0;
}

/** Where a run begins: W (k × m), and the totals of H⁰ where the method starts from one. */
export interface Start {
  readonly W: Float64Array;
  readonly sums: Sums | null;
}

/**
 * Initial factors, and H⁰ in the engine for the methods that need one.
 *
 * @param in32Bits how products are summed in 32 bits, where the method does that
 */
export async function seedRun(
  engine: Engine,
  method: Method,
  run: Run,
  survey: Survey,
  seed: number,
  in32Bits: Pick<Step, "float32" | "run" | "sumGrid"> = {},
): Promise<Start> {
  const { settings, signal } = run;
  const { k, init } = settings;
  const pass = async (step: Step) => totalStats(await engine.pass(step, signal));

  if (init === "nndsvd") {
    const start = await nndsvd(engine, k, seed, run, in32Bits);
    const fill = method.multiplicative ? survey.mean : 0;
    const W = fill > 0 ? start.W.map((w) => (w > 0 ? w : fill)) : start.W;
    if (method.form !== "real") return { W, sums: null };
    const round = method.rule === "binary";
    return { W, sums: await pass({ rule: "linear", k, W: start.coder, floor: round ? 0 : fill, round, ...in32Bits }) };
  }

  const W = await seedW(engine, method, run, survey, seed);
  if (method.form === "real") {
    const round = method.rule === "binary";
    if (init === "random") return { W, sums: await pass({ rule: "uniform", k, W, seed, round }) };
    const gram = pseudoInverse(correlate(W, W, k), k);
    const floor = method.multiplicative && !round ? 1e-3 * codeScale(W, k, survey) : 0;
    // In 32 bits one product: (WᵀW)⁻¹Wᵀ is found first.
    if (in32Bits.float32)
      return { W, sums: await pass({ rule: "linear", k, W: multiplyGram(W, gram, k), floor, ...in32Bits }) };
    return { W, sums: await pass({ rule: "linear", k, W, gram, floor, round }) };
  }
  if (settings.update === "multiplicative") {
    // The paper's H⁰ = (WᵀW)⁻¹WᵀX is real, not binary; only the first W step uses it.
    return { W, sums: await pass({ rule: "probe", k, W, gram: pseudoInverse(correlate(W, W, k), k) }) };
  }
  return { W, sums: null };
}

/** About how large an entry of H is: the samples' typical length over the prototypes'. */
function codeScale(W: Float64Array, k: number, survey: Survey): number {
  const length = Math.sqrt(rowLengths(W, k).reduce((sum, norm) => sum + norm * norm, 0) / k);
  return length > 0 ? Math.sqrt(survey.normSq / survey.weight) / length : 0;
}

async function seedW(engine: Engine, method: Method, run: Run, survey: Survey, seed: number): Promise<Float64Array> {
  const { k, init } = run.settings;
  switch (init) {
    case "given":
      return Float64Array.from(run.given!.data);
    case "random": {
      // Real-valued methods take U[0,1) as it is, as iONMF does; for the others the scale of X matters.
      const W = new Float64Array(k * engine.features);
      if (survey.negatives > 0) {
        const spread = Math.sqrt((3 * survey.normSq) / (survey.weight * engine.features));
        return W.map((_, q) => spread * (2 * uniform(seed, STREAM.subspace, q) - 1));
      }
      const scale = method.form === "real" ? 1 : 2 * survey.mean;
      return W.map((_, q) => scale * uniform(seed, STREAM.subspace, q));
    }
    case "columns":
      return averageLongest(engine, method, survey, k, seed);
    case "sample": {
      const step = { rule: "race", k: 0, W: new Float64Array(0), fresh: true, fit: method.fit, rank: k, seed } as const;
      const { ranked } = totalStats(await engine.pass(step, run.signal));
      return takeRows(
        engine,
        method,
        ranked.map(({ id }) => id),
        k,
      );
    }
    default:
      return seedPlusPlus(engine, method, run, seed);
  }
}

/** Albright's random-Acol: each prototype is the mean of 10 of the 30 longest samples. */
async function averageLongest(
  engine: Engine,
  method: Method,
  survey: Survey,
  k: number,
  seed: number,
): Promise<Float64Array> {
  const m = engine.features;
  const pool = survey.longest.map(({ id }) => id);
  const X = await takeRows(engine, method, pool, pool.length);
  const random = new Random(seed);
  const W = new Float64Array(k * m);
  const averaged = Math.min(AVERAGED, pool.length);
  for (let j = 0; j < k; j++) {
    for (const row of random.choose(pool.length, averaged)) {
      for (let f = 0; f < m; f++) W[j * m + f] += X[row * m + f] / averaged;
    }
  }
  return W;
}

/** k-means++ (Arthur and Vassilvitskii, 2007) with the method's own dissimilarity. */
async function seedPlusPlus(engine: Engine, method: Method, run: Run, seed: number): Promise<Float64Array> {
  const { settings, signal, onStart } = run;
  const { k } = settings;
  const ids: number[] = [];
  let W = new Float64Array(0);
  const unit = method.unit ?? false;
  for (let j = 0; j < k; j++) {
    const step = { rule: "race", k: W.length > 0 ? 1 : 0, W, fit: method.fit, unit, seed, stream: j } as const;
    let { ranked } = totalStats(await engine.pass({ ...step, fresh: j === 0 }, signal));
    if (ranked.length === 0) {
      // Every sample lies on a prototype already: any sample will do.
      const any = { ...step, k: 0, W: new Float64Array(0), fresh: true };
      ranked = totalStats(await engine.pass(any, signal)).ranked;
    }
    ids.push(ranked[0]?.id ?? 0);
    W = Float64Array.from((await engine.rows(ids.slice(-1))).data);
    onStart?.(j + 1, k);
  }
  return takeRows(engine, method, ids, k);
}

/** Samples as prototypes; where there are fewer than k, they repeat. */
async function takeRows(engine: Engine, method: Method, ids: readonly number[], k: number): Promise<Float64Array> {
  const cycled = Array.from({ length: k }, (_, j) => ids[j % ids.length] ?? 0);
  const W = Float64Array.from((await engine.rows(cycled)).data);
  return method.unit ? normaliseRows(W, k) : W;
}
