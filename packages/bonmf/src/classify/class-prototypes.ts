import { encodeSamples } from "../kernel/encode.js";
import type { Matrix } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import { Model } from "../model/model.js";
import type { FitOptions } from "../model/options.js";
import { homeRule } from "../model/prototype-index.js";
import type { TrainOptions } from "./scheme.js";

/** Methods whose prototypes are the only nearest ones of their samples; others fit `bonmf` within the classes. */
const NEAREST = ["bonmf", "spherical", "kmeans"] as const;

/**
 * A model whose prototypes are fitted within each class: k / classes of them for every class, at least one and at most its samples, in
 * the order of the classes.
 *
 * @param model whose scaler, method and seed are used
 * @param Z IN n × m, in the model's units
 * @param y IN n class numbers
 */
export async function fitWithinClasses(
  model: Model,
  k: number,
  Z: Matrix,
  y: Uint32Array,
  classes: number,
  options: Pick<TrainOptions, "weights" | "threads" | "signal"> & Pick<FitOptions, "maxIterations"> = {},
): Promise<Model> {
  const { weights, ...run } = options;
  const each = Math.max(1, Math.round(k / classes));
  const method = NEAREST.find((name) => name === model.method) ?? "bonmf";
  const found: Model[] = [];
  for (let c = 0; c < classes; c++) {
    const own = Uint32Array.from(y.keys()).filter((i) => y[i] === c);
    if (own.length === 0) continue;
    const counted = weights ? { weights: Array.from(own, (i) => weights[i]) } : {};
    found.push(
      await fit(Z.take(own), {
        ...run,
        ...counted,
        k: Math.min(each, own.length),
        method,
        init: "plusplus",
        seed: model.seed,
      }),
    );
  }
  const m = Z.features;
  const all = found.reduce((sum, own) => sum + own.k, 0);
  const W = new Float64Array(all * m);
  let at = 0;
  for (const own of found) {
    W.set(own.W.data, at);
    at += own.k * m;
  }
  const { counts: _, ...parts } = model;
  const labels = encodeSamples(Z, homeRule({ method }), W, all).labels!;
  const settings = { ...found[0].settings, k: all };
  return new Model({
    ...parts,
    settings,
    W,
    codes: { form: "labels", k: all, labels, values: null },
    labels,
    best: null,
  });
}
