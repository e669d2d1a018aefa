import type { ScaleName } from "bonmf";

/** A dataset of the table, and how it is made ready. */
export interface PaperDataset {
  readonly name: string;
  readonly title: string;
  /** Its name in the catalogue of datasets. */
  readonly source: string;
  /** For the paper's methods; `auto` chooses its own. */
  readonly scale: ScaleName;
  /** This class against all others. */
  readonly against?: string;
  /** How a prototype is drawn: a picture of this width, or a pen stroke through points. */
  readonly look?: { readonly width: number } | "strokes";
  /** Not in the paper's table, and run only when named: data for what the paper may have done. */
  readonly further?: boolean;
}

const plain = { scale: "none" } as const;

/** In the order of Table 2. */
export const DATASETS: readonly PaperDataset[] = [
  { name: "orl", title: "ORL", source: "orl", ...plain, look: { width: 64 } },
  { name: "optdigits", title: "Optdigits", source: "optdigits", ...plain, look: { width: 8 } },
  { name: "phishing", title: "Phishing", source: "phishing", ...plain },
  { name: "monkey", title: "Monkey", source: "monkey", ...plain },
  { name: "diabetes", title: "Diabetes", source: "diabetes", ...plain },
  { name: "banking", title: "Banking", source: "banking", ...plain },
  { name: "svmguide", title: "Svmguide", source: "svmguide", scale: "shift" },
  { name: "pendigits", title: "Pendigits", source: "pendigits", ...plain, look: "strokes" },
  { name: "w8a", title: "W8a", source: "w8a", ...plain },
  { name: "pendigits-2", title: "Pendigits, 2 or not", source: "pendigits", ...plain, against: "2", further: true },
  { name: "phishing-uci", title: "Phishing (UCI)", source: "phishing-uci", scale: "shift", further: true },
  { name: "monks-2", title: "MONK's problem 2", source: "monks-2", ...plain, further: true },
  { name: "monks-3", title: "MONK's problem 3", source: "monks-3", ...plain, further: true },
];

export const NINE: readonly string[] = DATASETS.filter(({ further }) => !further).map(({ name }) => name);

export function findPaperDataset(name: string): PaperDataset {
  const dataset = DATASETS.find((candidate) => candidate.name === name);
  if (dataset === undefined) throw new Error(`no dataset ${name}`);
  return dataset;
}
