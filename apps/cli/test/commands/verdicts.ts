import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

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

/** A folder with train.csv and test.csv, and the command run there. */
export function useVerdicts() {
  const cwd = makeFolder();
  const at = (name: string) => join(cwd, name);
  const run = (...args: string[]) => runBonmf(args, { cwd });
  const train = makeRows(120, 0);
  const test = makeRows(50, 1000);
  beforeAll(() => {
    writeRows(at("train.csv"), train);
    writeRows(at("test.csv"), test);
  });
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run("classify", ...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("error") });
    return JSON.parse(stdout);
  }
  return { at, run, json, train, test };
}
