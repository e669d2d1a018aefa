import type { Topics } from "bonmf";
import type { Style } from "../command.js";
import { type Column, table } from "../show/text.js";
import { meanOf, showMeasure } from "./coherence.js";

/** How good topics are that were found by words, by vectors, or by both. */
export interface Gain {
  readonly by: "words" | "vectors" | "both";
  readonly npmi: number | null;
  readonly cv: number | null;
  /** With the classes; null without. */
  readonly nmi: number | null;
}

/** More documents take too long to be fitted twice more. */
const MOST = 10_000;

/**
 * What vectors bring: the same number of topics by words alone, by vectors alone, and by both.
 *
 * @param refit finds as many topics with this weight of the vectors; 0 for words alone
 * @param score the NMI with the classes
 */
export async function measureGain(
  found: Topics,
  refit: (weight: number) => Promise<Topics>,
  score: (topics: Topics) => Promise<number | null>,
): Promise<Gain[] | null> {
  const { vectorWeight, model } = found;
  if (vectorWeight === 0 || model.samples > MOST) return null;
  const tell = async (by: Gain["by"], topics: Topics): Promise<Gain> => ({
    by,
    npmi: meanOf(topics.list.map(({ npmi }) => npmi)),
    cv: meanOf(topics.coherence()),
    nmi: await score(topics),
  });
  const words = await tell("words", await refit(0));
  if (vectorWeight === 1) return [words, await tell("vectors", found)];
  return [words, await tell("vectors", await refit(1)), await tell("both", found)];
}

export function describeGain(gain: readonly Gain[], style: Style): string {
  const hasClasses = gain.some(({ nmi }) => nmi !== null);
  const columns: Column[] = [
    { title: "compared by" },
    { title: "NPMI", right: true },
    { title: "C_V", right: true },
    ...(hasClasses ? [{ title: "NMI", right: true }] : []),
  ];
  const rows = gain.map(({ by, npmi, cv, nmi }) => [
    by,
    showMeasure(npmi),
    showMeasure(cv),
    ...(hasClasses ? [showMeasure(nmi)] : []),
  ]);
  return table(columns, rows, style);
}
