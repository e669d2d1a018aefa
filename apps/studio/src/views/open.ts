import { batch } from "@preact/signals";
import { store } from "../state/store.js";

/** Shows one sample among the others. */
export function openSample(sample: number): void {
  batch(() => {
    store.sample.value = sample;
    store.tab.value = "samples";
  });
}
