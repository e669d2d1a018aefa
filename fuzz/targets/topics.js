// Topics files, on words, on vectors and on both: what is loaded can be saved again to the same bytes, and predicts.
import { Dense, loadTopics, saveTopics, topics } from "bonmf";
import { expectSame } from "../oracle.js";

const documents = ["cat mouse", "mouse cat", "bond stock", "stock bond"];
const vectors = Dense.from([
  [1, 0.1],
  [0.9, 0],
  [-0.1, 1],
  [0, 0.8],
]);

export async function seeds() {
  const options = { k: 2, restarts: 1, threads: 1 };
  const words = await topics(documents, options);
  return [
    saveTopics(words),
    saveTopics(words.merge([0, 1])),
    saveTopics(await topics({ documents, vectors }, options)),
    saveTopics(await topics({ documents, vectors }, { ...options, vectorWeight: 1 })),
  ];
}
export const tokens = [
  '"F64"',
  '"U32"',
  '"shape":[',
  '"data_offsets":[',
  '\\"ids\\":[',
  '\\"given\\":[',
  '\\"typical\\":[',
  '\\"vectorWeight\\":',
  '\\"rules\\":{',
  "null",
  "1e308",
];

export function read(bytes) {
  const found = loadTopics(bytes);
  const saved = saveTopics(found);
  expectSame(saveTopics(loadTopics(saved)), saved, "saved after loading");
  const onWords = found.model.featureNames !== null;
  found.predict(onWords ? documents : { documents, vectors });
  found.hierarchy();
}
