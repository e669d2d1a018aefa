import type { CountsPart } from "./counts.js";
import { countCharacters } from "./texts.js";
import { type CountOptions, openCounter } from "./word-counts.js";

/** Texts that a thread counts. */
export interface CountTask<Texts = readonly string[]> {
  readonly texts: Texts;
  /** Without `stem`. */
  readonly options: CountOptions;
}

export function countPart({ texts, options }: CountTask): CountsPart {
  const { counts, takeSome } = openCounter(options, countCharacters(texts));
  for (let from = 0; from < texts.length; ) from = takeSome(texts, from, texts.length);
  return counts.toPart();
}
