import type { Sparse } from "bonmf";
import type { Matrix } from "bonmf/engine";
import type { Gpu } from "./device.js";
import { PAIR_BYTES, type Part } from "./parts.js";
import type { Upload } from "./upload.js";

/** Where parts begin that have no more samples and stored values than these. */
export function cutStored({ samples, offsets }: Sparse, mostSamples: number, mostStored: number): number[] {
  const starts = [0];
  let first = 0;
  for (let i = 1; i < samples; i++) {
    if (i - first < mostSamples && offsets[i + 1] - offsets[first] <= mostStored) continue;
    starts.push(i);
    first = i;
  }
  return starts;
}

/** The most values of a sample that are not 0. */
export function mostTerms(X: Matrix): number {
  if (X.kind === "dense") return X.features;
  const { samples, offsets } = X;
  let most = 0;
  for (let i = 0; i < samples; i++) most = Math.max(most, offsets[i + 1] - offsets[i]);
  return most;
}

/** Copies the samples of a part: pairs, and where each sample's begin. */
export async function writeStored(
  { device }: Gpu,
  upload: Upload,
  { offsets, indices, values }: Sparse,
  part: Part,
): Promise<void> {
  const { first, samples } = part;
  const begin = offsets[first];
  const own = Uint32Array.from(offsets.subarray(first, first + samples + 1), (offset) => offset - begin);
  device.queue.writeBuffer(part.offsets!, 0, own);
  await upload.write(part.X, own[samples], PAIR_BYTES, (memory, from, count) => {
    const pairs = new Uint32Array(memory);
    const floats = new Float32Array(memory);
    for (let q = 0, p = begin + from; q < 2 * count; q += 2, p++) {
      pairs[q] = indices[p];
      floats[q + 1] = values[p];
    }
  });
}
