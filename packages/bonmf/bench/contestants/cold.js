// Process start to labels: reads raw float32 samples and prototypes, fits, writes labels, says so.
import { readFileSync, writeFileSync } from "node:fs";
import { Dense, fit } from "../library.js";

const { set, start, k, out } = JSON.parse(process.argv[2]);
const X = new Dense(set.samples, set.features, readFloats(set.files.data));
const model = await fit(X, { k, method: "kmeans", init: new Dense(k, set.features, readFloats(start)) });
writeFileSync(out, new Uint8Array(Int32Array.from(model.labels).buffer));
console.log(JSON.stringify({ iterations: model.iterations }));

function readFloats(path) {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
