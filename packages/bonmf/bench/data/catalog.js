// Every set by name: made once, kept in the cache, and the initial W drawn from it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Dense, Sparse } from "../library.js";
import { DATA, readArray, readHeader, writeArray, writeHeader } from "./files.js";
import { seeded, shuffle } from "./random.js";
import { loadDigits, loadFolder, weighWords } from "./real.js";
import { addNoise, makeBlobs, makeText, tile } from "./synthetic.js";

const W8A_TEST = 9950;
/** Shares of the samples in one initial prototype. */
const BLEND = [0.7, 0.3];

const SETS = {
  digits60k: loadDigits,
  noisy60k: () => addNoise(loadDigits(), 40, 7),
  blobs200k: () => makeBlobs(200_000, 64, 50, 1),
  narrow1m: () => makeBlobs(1_000_000, 16, 20, 2),
  wide1m: () => makeBlobs(1_000_000, 128, 256, 3),
  faces4k: () => {
    const faces = loadFolder("orl/orl.csv.gz");
    return faces ? tile(faces, 4000, 4) : makeBlobs(4000, 4096, 40, 4);
  },
  text50k: () => makeText(50_000, 20_000, 100, 30, 5),
  optdigits: () => loadFolder("optdigits/optdigits.csv.gz"),
  orl: () => loadFolder("orl/orl.csv.gz"),
  mnist10k: () => loadFolder("mnist10k/mnist10k.csv.gz"),
  r8: () => weighWords(loadFolder("r8/r8.svm.gz")),
  w8a: () => loadFolder("w8a/w8a.svm.gz", 300),
  "w8a-train": () => splitW8a((order) => order.subarray(W8A_TEST)),
  "w8a-test": () => splitW8a((order) => order.subarray(0, W8A_TEST)),
};

/** The header of a set, made if need be; null where its source is missing. */
export function prepareSet(name) {
  const known = readHeader(name);
  if (known) return known;
  const set = SETS[name]();
  if (!set) return null;
  const { kind, samples, features, ...arrays } = set;
  const files = {};
  for (const [part, array] of Object.entries(arrays)) if (array) files[part] = writeArray(`${name}.${part}`, array);
  writeHeader({ name, kind, samples, features, files });
  return readHeader(name);
}

/**
 * The path of k initial prototypes (k × m), each blended of two samples by a seeded draw: with single samples of
 * whole numbers some distances would be equal, and rounding would decide where everybody ends.
 */
export function prepareStart(header, k) {
  const name = `${header.name}.W${k}`;
  const path = join(DATA, `${name}.f32`);
  if (existsSync(path)) return path;
  const X = loadMatrix(header);
  const order = shuffle(X.samples, seeded(6));
  const W = new Float32Array(k * X.features);
  for (let draw = 0; draw < 2 * k; draw++) {
    const base = (draw >> 1) * X.features;
    X.each(order[draw], (f, value) => {
      W[base + f] += value * BLEND[draw % 2];
    });
  }
  return writeArray(name, W);
}

/** A set as the library's matrix, on arrays of its own. */
export function loadMatrix({ kind, samples, features, files }) {
  if (kind === "dense") return new Dense(samples, features, readArray(files.data));
  return new Sparse(samples, features, readArray(files.offsets), readArray(files.indices), readArray(files.values));
}

function splitW8a(part) {
  const whole = loadFolder("w8a/w8a.svm.gz", 300);
  if (!whole) return null;
  const { samples, features, offsets, indices, values, labels } = whole;
  const ids = part(shuffle(samples, seeded(7)));
  const taken = new Sparse(samples, features, offsets, indices, values).take(ids);
  return { ...taken, labels: Int32Array.from(ids, (i) => labels[i]) };
}
