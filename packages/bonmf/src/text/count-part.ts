import type { CountsPart } from "./counts.js";
import { type CountOptions, openCounter } from "./word-counts.js";

/** Texts that a thread counts. */
export interface CountTask<Texts = readonly string[]> {
  readonly texts: Texts;
  /** Without `stem`. */
  readonly options: CountOptions;
}

export function countPart({ texts, options }: CountTask): CountsPart {
  const { counts, take } = openCounter(options, countCharacters(texts));
  for (const text of texts) take(text);
  return counts.toPart();
}

export function countCharacters(texts: readonly string[]): number {
  let characters = 0;
  for (const text of texts) characters += text.length;
  return characters;
}
