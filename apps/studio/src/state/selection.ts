import { batch } from "@preact/signals";
import { type Selection, store } from "./store.js";

/**
 * Selects samples in every view.
 *
 * @param samples their numbers, in any order; none clear the selection
 * @param from where they come from, as a person would say it: "the lasso"
 */
export function selectSamples(samples: ArrayLike<number>, from: string): void {
  const sorted = sortUnique(samples);
  batch(() => {
    store.selection.value = sorted.length === 0 ? null : { samples: sorted, from };
    store.limited.value = true;
  });
}

/** Takes a sample in, or out. */
export function toggleSample(sample: number, from: string): void {
  const { value: before } = store.selection;
  const rest = before?.samples.filter((one) => one !== sample) ?? new Uint32Array(0);
  const known = before !== null && rest.length < before.samples.length;
  selectSamples(known ? rest : [...rest, sample], known ? before.from : from);
}

export function clearSelection(): void {
  store.selection.value = null;
}

/** Whether a sample is selected; all are while nothing is. */
export function isSelected(selection: Selection | null, sample: number): boolean {
  if (selection === null) return true;
  const { samples } = selection;
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle] < sample) low = middle + 1;
    else high = middle;
  }
  return samples[low] === sample;
}

function sortUnique(samples: ArrayLike<number>): Uint32Array {
  // The map's worker sends up to a million, in order.
  if (samples instanceof Uint32Array && isRising(samples)) return samples;
  const sorted = Uint32Array.from(samples).sort();
  return sorted.filter((sample, p) => p === 0 || sample !== sorted[p - 1]);
}

function isRising(samples: Uint32Array): boolean {
  for (let p = 1; p < samples.length; p++) if (samples[p] <= samples[p - 1]) return false;
  return true;
}
