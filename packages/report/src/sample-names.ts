import type { ReportData } from "./report-data.js";

interface Named extends Pick<ReportData, "ids" | "dropped"> {
  /** Whatever holds them. */
  readonly texts?: object | null | undefined;
}

/** The name of sample i: its id, or the row of the file, from 1. */
export function makeNamer({ ids, texts, dropped }: Named): (i: number) => string {
  const rowOf = numberRows(dropped);
  const noun = texts ? "document" : "sample";
  return (i) => (ids ? String(ids[i]) : `${noun} ${rowOf(i) + 1}`);
}

/** The row of sample i in its file. */
export function numberRows(dropped: readonly number[] = []): (sample: number) => number {
  // Before row gone[p] stand gone[p] − p samples.
  const gone = Uint32Array.from(dropped).sort();
  return (sample) => {
    let [low, high] = [0, gone.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gone[middle] - middle <= sample) low = middle + 1;
      else high = middle;
    }
    return sample + low;
  };
}
