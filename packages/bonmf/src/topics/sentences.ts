let segmenter: Intl.Segmenter | undefined;

/** The sentences of a text, as the runtime's rules divide it. */
export function splitSentences(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment.trim()).filter((sentence) => sentence !== "");
}
