import { fit } from "bonmf";
import type { Call } from "../../command.js";
import { explainData } from "../explain.js";
import { load } from "../load.js";
import { fitOptions } from "../options.js";
import { measureSilhouette } from "../silhouette.js";
import type { Supply } from "./supply.js";

export async function openMemory(call: Call): Promise<Supply> {
  const { data, source } = await load(call);
  const { X, labels: classes, weights, features, recipe, kind } = data;
  const scale = fitOptions(call.options).scale ?? (recipe.text || kind === "text" ? "tfidf" : "none");
  return {
    source,
    samples: X.samples,
    features: X.features,
    classes,
    fit: (options) =>
      fit(X, {
        ...options,
        scale,
        weights: weights ?? undefined,
        featureNames: features ?? undefined,
        tags: { recipe: JSON.stringify(recipe), source },
      }).catch((error: unknown) => {
        throw explainData(error, source);
      }),
    measure: (model) => {
      const metric = model.method === "kmeans" ? "squared" : "cosine";
      return measureSilhouette(model.prepare(X), model.labels, { metric, weights }, call.signal);
    },
    close: async () => {},
  };
}
