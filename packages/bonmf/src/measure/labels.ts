import { DataError, quote } from "../errors.js";

/** The name of a class or a cluster. 1 and "1" are different labels. */
export type Label = string | number;
/** One label per sample. */
export type Labels = ArrayLike<Label>;
/** One predicted label per sample; null where the classifier refused to answer. */
export type Predictions = ArrayLike<Label | null>;

/** Checks that both lists have the same length, above 0, and hold labels; `refusable` permits null in the second. */
export function checkLabels(truth: Labels, other: Predictions, refusable = false): void {
  if (truth.length !== other.length) {
    throw new DataError(
      "length",
      `there are ${truth.length} true labels but ${other.length} others: give one of each per sample`,
    );
  }
  if (truth.length === 0) throw new DataError("empty", "there are no labels to measure: at least one is needed");
  for (let i = 0; i < truth.length; i++) {
    checkLabel(truth[i], i);
    if (!(refusable && other[i] === null)) checkLabel(other[i], i);
  }
}

/** @param what the list holds, in the singular */
export function checkLength(list: ArrayLike<unknown>, what: string, samples: number): void {
  if (list.length === samples) return;
  throw new DataError("length", `there are ${samples} samples but ${list.length} ${what}s: give one for each sample`);
}

export function checkLabel(label: unknown, sample: number): void {
  if (typeof label === "string" || (typeof label === "number" && !Number.isNaN(label))) return;
  const message = `sample ${sample} has the label ${quote(label)}: a label is a string or a number. Remove the sample or name its class`;
  throw new DataError("label", message, { sample, value: label });
}

/** The distinct labels, sorted. */
export function listLabels(labels: Iterable<Label>): Label[] {
  return [...new Set(labels)].sort(compareLabels);
}

/** Labels as numbers: `codes[i]` is the place of label i in `names`, `sizes` counts each name. */
export interface Coding<L extends Label = Label> {
  names: L[];
  codes: Uint32Array;
  sizes: Float64Array;
}

/** Numbers the labels and checks each distinct one. */
export function encode<L extends Label>(labels: ArrayLike<L>): Coding<L> {
  const seen = new Map<L, number>();
  const codes = new Uint32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    let code = seen.get(labels[i]);
    if (code === undefined) {
      checkLabel(labels[i], i);
      code = seen.size;
      seen.set(labels[i], code);
    }
    codes[i] = code;
  }
  const names = [...seen.keys()].sort(compareLabels);
  const places = new Uint32Array(names.length);
  names.forEach((name, place) => {
    places[seen.get(name)!] = place;
  });
  const sizes = new Float64Array(names.length);
  for (let i = 0; i < codes.length; i++) {
    codes[i] = places[codes[i]];
    sizes[codes[i]]++;
  }
  return { names, codes, sizes };
}

/** Numbers by value, then strings by code point: scikit-learn's order, the same in every locale. */
export function compareLabels(a: Label, b: Label): number {
  if (typeof a === "number") return typeof b === "number" ? (a < b ? -1 : a > b ? 1 : 0) : -1;
  if (typeof b === "number") return 1;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = rankUnit(a.charCodeAt(i)) - rankUnit(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates, which spell the highest code points, below U+E000 … U+FFFF; this swaps the two ranges. */
function rankUnit(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
