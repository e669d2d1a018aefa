// Model files: what is loaded can be saved again to the same bytes, and predicts.
import { fit, loadModel, saveModel } from "bonmf";
import { expectSame } from "../oracle.js";

const X = [
  [5, 0, 1],
  [4, 1, 0],
  [0, 3, 1],
  [1, 4, 0],
];

export async function seeds() {
  const found = [];
  for (const options of [{}, { method: "kmeans", scale: "standard" }, { method: "nmf", maxIterations: 2 }]) {
    const model = await fit(X, { k: 2, seed: 1, featureNames: ["a", "b", "c"], threads: 1, ...options });
    found.push(saveModel(model, { recipe: '{"kind":"csv"}' }));
  }
  return found;
}
export const tokens = [
  '"F64"',
  '"U8"',
  '"shape":[',
  '"data_offsets":[',
  '"__metadata__":{',
  '\\"k\\":',
  "null",
  "1e308",
];

export function read(bytes) {
  const model = loadModel(bytes);
  const saved = saveModel(model);
  expectSame(saveModel(loadModel(saved)), saved, "saved after loading");
  const { features } = model.W;
  if (features <= 8) model.predict([Array.from({ length: features }, (_, f) => f + 1)]);
}
