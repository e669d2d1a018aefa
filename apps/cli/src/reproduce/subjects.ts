import type { ScaleName } from "bonmf";

/** A dataset of the table, and how it is made ready. */
export interface Subject {
  readonly name: string;
  readonly title: string;
  /** Its name in the catalogue of datasets. */
  readonly source: string;
  /** For the paper's methods; `auto` chooses its own. */
  readonly scale: ScaleName;
  /** This class against all others. */
  readonly against?: string;
  /** What a prototype looks like: a picture so wide, or a pen's way through points. */
  readonly look?: { readonly width: number } | "strokes";
  /** Not in the paper's table, and run only when named: data for what the paper may have done. */
  readonly further?: boolean;
}

const plain = { scale: "none" } as const;

/** In the order of Table 2. */
export const SUBJECTS: readonly Subject[] = [
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

export const NINE: readonly string[] = SUBJECTS.filter(({ further }) => !further).map(({ name }) => name);

export function findSubject(name: string): Subject {
  const subject = SUBJECTS.find((candidate) => candidate.name === name);
  if (subject === undefined) throw new Error(`no subject ${name}`);
  return subject;
}
