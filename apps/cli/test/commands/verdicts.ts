import { writeFileSync } from "node:fs";

/** Tables of verdicts for the tests of `classify`. */
export interface Row {
  readonly x: readonly number[];
  readonly colour: string;
  readonly y: string;
}

/** Rows of two numbers and a category; one in seven is called by the other kind's name. */
export function makeRows(length: number, from: number): Row[] {
  return Array.from({ length }, (_, n) => {
    const i = n + from;
    const kind = i % 2;
    const x = [kind === 0 ? 5 : 1, kind === 0 ? 1 : 5].map((value, f) => value + ((i * (f + 3)) % 7) / 2);
    return { x, colour: ["red", "green", "blue"][i % 3], y: ["no", "yes"][i % 7 === 0 ? 1 - kind : kind] };
  });
}

export function writeRows(path: string, rows: readonly Row[], header = "a,b,colour,verdict"): void {
  writeFileSync(path, `${header}\n${rows.map(({ x, colour, y }) => [...x, colour, y].join(",")).join("\n")}\n`);
}
