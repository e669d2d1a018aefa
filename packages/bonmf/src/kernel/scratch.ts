import type { Matrix } from "../matrix/matrix.js";
import { CHUNK, type Products } from "./products.js";
import type { Region } from "./region.js";
import { swiftProducts } from "./swift.js";

/** A region for work that ends before the call does. */
export interface Scratch extends Region {
  /** Takes all room back. */
  clear(): void;
}

let scratch: Scratch | null = null;

/** The engine provides it once the kernels are compiled; until then, and with null, samples are encoded plainly. */
export function provideScratch(given: Scratch | null): void {
  scratch = given;
}

/** The scratch with all its room free, until the next call; null where the kernels cannot run. */
export function takeScratch(): Region | null {
  scratch?.clear();
  return scratch;
}

/** With fewer samples than this, and one for each prototype, setting up costs more than it saves. */
const WORTH_COPYING = 64;
/** Room for prototypes that the scratch may grow to, since it never shrinks. */
export const MOST_BYTES = 2 ** 28;

/**
 * Products in WebAssembly of samples that lie elsewhere: each chunk is copied in first. Good until the next call; null
 * where the kernels cannot run or would not pay. Nothing is added up: for `codesOnly` steps.
 */
export function copyingProducts(X: Matrix, k: number): Products | null {
  if (X.samples < k + WORTH_COPYING || 24 * k * X.features > MOST_BYTES) return null;
  const region = takeScratch();
  if (region === null) return null;
  const { features, precision } = X;
  const sparse = X.kind === "sparse";
  const size = precision === "f64" ? 8 : 4;
  const view = (at: number, length: number) => (precision === "f64" ? region.f64(at, length) : region.f32(at, length));
  const room = X.kind === "dense" ? CHUNK * features : fullest(X.offsets);
  const values = region.reserve(size * room);
  const indices = region.reserve(sparse ? 4 * room : 0);
  const offsets = region.reserve(sparse ? 4 * (CHUNK + 1) : 0);
  const place = { region, samples: CHUNK, features, precision, sparse, indices, values, bytes: 0, longest: features };
  const swift = swiftProducts({ ...place, X: sparse ? offsets : values, norms: 0, offset: 0, weights: 0 });

  const copy = (from: number, to: number) => {
    if (X.kind === "dense") {
      view(values, (to - from) * features).set(X.data.subarray(from * features, to * features));
      return;
    }
    const [first, last] = [X.offsets[from], X.offsets[to]];
    view(values, last - first).set(X.values.subarray(first, last));
    region.u32(indices, last - first).set(X.indices.subarray(first, last));
    const rebased = region.u32(offsets, to - from + 1);
    for (let s = 0; s < rebased.length; s++) rebased[s] = X.offsets[from + s] - first;
  };

  return {
    begin: swift.begin,
    dots(from, to) {
      copy(from, to);
      return swift.dots(0, to - from);
    },
    renew: swift.renew,
    draws: swift.draws,
    labels(from, to) {
      copy(from, to);
      return swift.labels(0, to - from);
    },
    own(from, to, labels) {
      copy(from, to);
      return swift.own(0, to - from, labels);
    },
    add() {},
    addCodes() {},
    finish() {},
  };
}

/** The most values that the samples of one chunk store. */
function fullest(offsets: Uint32Array): number {
  let most = 0;
  for (let from = 0; from < offsets.length - 1; from += CHUNK) {
    most = Math.max(most, offsets[Math.min(from + CHUNK, offsets.length - 1)] - offsets[from]);
  }
  return most;
}
