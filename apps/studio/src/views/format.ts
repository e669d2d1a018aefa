import type { RunInfo } from "../session/protocol.js";

/** Made once: `toLocaleString` makes one for each call. */
const FORMAT = new Intl.NumberFormat("en");

/** Numbers as people read them. */
export function count(value: number): string {
  return FORMAT.format(value);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.0005 ? 2 : 1)} %`;
}

export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

/** "10 clusters", or "10 clusters, merged into 8". */
export function describeClusters(groups: readonly number[]): string {
  const shown = new Set(groups).size;
  return `${plural(groups.length, "cluster")}${shown < groups.length ? `, merged into ${count(shown)}` : ""}`;
}

/** The number that was typed, or what is wrong with it. */
export function readNumber(text: string): number | string {
  const typed = text.trim();
  if (typed === "") return "A number is missing.";
  const value = Number(typed);
  if (Number.isNaN(value)) return `"${typed}" is no number: write it like 3.5.`;
  return Math.abs(value) <= LARGEST ? value : `${typed} is too large.`;
}

/** The numbers of a row as it was pasted, one a feature; or what is wrong with it. */
export function readRow(text: string, features: number, names: readonly string[] | null): number[] | string {
  const cells = text.trim() === "" ? [] : text.trim().split(/\s*[,;\t]\s*|\s+/);
  if (cells.length === 0) return "Nothing is there yet: write or paste a row.";
  if (cells.length !== features) {
    const wanted = names ? `: ${names.slice(0, 8).join(", ")}${names.length > 8 ? " …" : ""}` : "";
    return `It has ${plural(cells.length, "value")}, and ${count(features)} are needed${wanted}.`;
  }
  const values = cells.map(readNumber);
  const wrong = values.findIndex((value) => typeof value === "string");
  return wrong < 0 ? (values as number[]) : `${names?.[wrong] ?? `#${wrong + 1}`}: ${values[wrong]}`;
}

/** Of 32-bit numbers. */
const LARGEST = 3.4e38;

/** How long a fit took, and where. */
export function duration({ seconds, gpu }: Pick<RunInfo, "seconds" | "gpu">): string {
  if (seconds === 0) return "kept";
  const time = seconds < 1 ? `${Math.round(1000 * seconds)} ms` : `${seconds.toFixed(1)} s`;
  return gpu ? `${time} on the GPU` : time;
}

export function short(value: number): string {
  if (Number.isInteger(value)) return count(value);
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}
