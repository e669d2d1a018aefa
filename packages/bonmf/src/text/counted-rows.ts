import { Sparse } from "../matrix/sparse.js";

/** The words of texts by number, and how often each occurs. */
interface Rows {
  /** Where the words of each text begin, and where those of the last end. */
  readonly offsets: Uint32Array;
  readonly entries: Uint32Array;
  readonly counts: Float32Array;
}

/**
 * The columns of some words.
 *
 * @param features the column of each word; −1 for none
 * @param width how many columns there are
 * @param kept how many counts they have
 */
export function pickColumns(
  { offsets, entries, counts }: Rows,
  features: Int32Array,
  width: number,
  kept: number,
): Sparse {
  const samples = offsets.length - 1;
  const rowStarts = new Uint32Array(samples + 1);
  const indices = new Uint32Array(kept);
  const values = new Float32Array(kept);
  const times = new Float32Array(width);
  for (let i = 0, stored = 0; i < samples; i++) {
    const from = stored;
    for (let p = offsets[i]; p < offsets[i + 1]; p++) {
      const feature = features[entries[p]];
      if (feature < 0) continue;
      times[feature] = counts[p];
      indices[stored++] = feature;
    }
    sortRow(indices, from, stored);
    for (let p = from; p < stored; p++) values[p] = times[indices[p]];
    rowStarts[i + 1] = stored;
  }
  return Sparse.trust(samples, width, rowStarts, indices, values);
}

/** Fewer numbers are sorted before a view of them is made. */
const SHORT = 64;

function sortRow(numbers: Uint32Array, from: number, to: number): void {
  if (to - from > SHORT) {
    numbers.subarray(from, to).sort();
    return;
  }
  for (let next = from + 1; next < to; next++) {
    const own = numbers[next];
    let at = next;
    for (; at > from && numbers[at - 1] > own; at--) numbers[at] = numbers[at - 1];
    numbers[at] = own;
  }
}
