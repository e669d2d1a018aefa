import type { Model } from "bonmf";
import { writeRecipe } from "bonmf-data/recipe";
import type { Call } from "../command.js";
import { fitOptions } from "../tasks/fit-options.js";
import { likeModel } from "../tasks/model-file.js";
import { explainData } from "./data-error.js";
import type { Input } from "./input.js";
import { load } from "./load.js";
import { defaultScale } from "./scale.js";

/** Samples read into memory as a whole. */
export async function openMemory(call: Call, from: Model | null = null): Promise<Input> {
  const loaded = await load(call, from ? likeModel(from) : {});
  const { data, source: name } = loaded;
  const { X, labels, ids, weights, features, recipe, kind } = data;
  return {
    place: "memory",
    name,
    kind,
    recipe,
    samples: X.samples,
    features: X.features,
    labels,
    X,
    options: {
      scale: fitOptions(call.options).scale ?? defaultScale(data),
      weights: weights ?? undefined,
      featureNames: features ?? undefined,
      tags: { recipe: writeRecipe(recipe), source: name },
    },
    signal: call.signal,
    describeAbort: () => "",
    explain: (error) => explainData(error, name),
    checkpointPath: () => null,
    writeAssignments: async (path, model) => {
      const { writeAssignments } = await import("../write/assignments.js");
      await writeAssignments(path, { ids, labels: model.labels });
    },
    writeReport: async (path, model) => (await import("../tasks/report.js")).writePage(call, path, model, loaded),
    measureSilhouette: async (model) => {
      const { measureSilhouette } = await import("../tasks/silhouette.js");
      const metric = model.method === "kmeans" ? "squared" : "cosine";
      return measureSilhouette(model.prepare(X), model.labels, { metric, weights }, call.signal);
    },
    close: async () => {},
  };
}
