// Clusters the rows of a CSV file, compares the clusters with known classes, and saves the model.
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusteringAccuracy, fit, loadModel, readCsv, saveModel } from "bonmf";

const { X, labels, featureNames } = readCsv(await readFile(new URL("drinks.csv", import.meta.url)), { label: "kind" });

const model = await fit(X, { k: 3, init: "plusplus", restarts: 10, seed: 1, featureNames });
console.log(`${X.samples} drinks, ${model.k} clusters after ${model.iterations} iterations`);
console.log(`sizes: ${model.counts.join(", ")}`);
console.log(`${Math.round(100 * clusteringAccuracy(labels, model.labels))} % agree with the kinds`);

// One safetensors file, which Python and R read too.
const path = join(tmpdir(), "drinks.safetensors");
await writeFile(path, saveModel(model));

const loaded = loadModel(await readFile(path));
const [cluster] = loaded.predict([[60, 30, 0, 2]]);
console.log(`a new drink belongs to the cluster of ${labels[model.labels.indexOf(cluster)]}`);
