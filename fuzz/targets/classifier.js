// Classifier files: what is loaded can be saved again to the same bytes, and predicts.
import { classifier, fit, loadClassifier, saveClassifier } from "bonmf";
import { expectSame } from "../oracle.js";

const X = [
  [5, 0, 1],
  [4, 1, 0],
  [0, 3, 3],
  [1, 4, 5],
];

export async function seeds() {
  const make = async (y, options, method = "bonmf") => {
    const model = await fit(X, { k: 2, seed: 7, threads: 1, method });
    return saveClassifier(await classifier(model, X, y, options));
  };
  return [
    await make(["a", "a", "b", "b"], { scheme: "majority" }),
    await make([0, 0, 1, 2], { scheme: "vote", neighbors: 1, reject: { margin: 0.1 } }),
    await make(["a", "a", "b", "b"], { scheme: "coefficients" }, "nmf"),
  ];
}
export const tokens = ['"F64"', '"U8"', '"U32"', '"shape":[', '"data_offsets":[', '"__metadata__":{', "null", "1e308"];

export async function read(bytes) {
  const found = await loadClassifier(bytes);
  const saved = saveClassifier(found);
  expectSame(saveClassifier(await loadClassifier(saved)), saved, "saved after loading");
  const { features } = found.model.W;
  if (features <= 8) found.predict([Array.from({ length: features }, (_, f) => f + 1)]);
}
