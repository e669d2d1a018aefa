import type { Label } from "./data.js";

/** Texts that are all numbers become numbers. */
export function toLabels(labels: readonly string[]): Label[] {
  return labels.every((label) => /^[+-]?\d+(\.\d+)?$/.test(label)) ? labels.map(Number) : [...labels];
}

/** Names that are read from a column of numbers more often than this are not all kept. */
const MOST_KEPT = 10_000;

/**
 * Makes a function that turns texts into numbers where the column is of numbers, but not those that would lose digits.
 *
 * @param exact nor those that would be written otherwise, as 007
 */
export function makeLabelReader(number: boolean, exact: boolean): (text: string) => Label {
  // The same text for the same name, however many rows have it.
  const names = new Map<string, Label>();
  return (text) => {
    let name = names.get(text);
    if (name === undefined) {
      const value = Number(text);
      const safe = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
      name = number && safe && text.trim() !== "" && (!exact || String(value) === text) ? value : text;
      if (names.size < MOST_KEPT) names.set(text, name);
    }
    return name;
  };
}

/** Some names in quotes, for messages. */
export function listNames(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names
    .slice(0, 5)
    .map((name) => JSON.stringify(name))
    .join(", ")}${more}`;
}
