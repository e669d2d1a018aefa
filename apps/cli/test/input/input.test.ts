import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import type { Call, Options } from "../../src/command.js";
import { openInput } from "../../src/input/input.js";
import { makeFolder } from "../binary.js";

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return { ...real, readdir: vi.fn(real.readdir), stat: vi.fn(real.stat) };
});

const folder = makeFolder();
const tables = join(folder, "tables");
mkdirSync(tables);
for (const name of ["a.csv", "b.csv"]) writeFileSync(join(tables, name), "x,y\n1,2\n3,4\n");

beforeEach(() => vi.clearAllMocks());

function callFor(...args: string[]): Call {
  const none = () => undefined;
  const options: Options = { string: none, number: none, flag: () => false, list: none };
  const progress = () => ({ update: none, end: none });
  const terminal = { note: none, progress } as unknown as Call["terminal"];
  return { args, options, terminal, signal: new AbortController().signal };
}

const count = (calls: readonly (readonly unknown[])[], path: string) =>
  calls.filter(([asked]) => asked === path).length;

it("lists a folder once, for the estimate of memory and for the reader", async () => {
  const input = await openInput(callFor(tables));
  expect([input.place, input.samples]).toEqual(["memory", 4]);
  expect(count(vi.mocked(readdir).mock.calls, tables)).toBe(1);
  expect(count(vi.mocked(stat).mock.calls, tables)).toBe(1);
});

it("expands a glob once", async () => {
  const input = await openInput(callFor(join(tables, "*.csv")));
  expect(input.samples).toBe(4);
  expect(count(vi.mocked(readdir).mock.calls, tables)).toBe(1);
});

it("names a file that is missing, before anything is read", async () => {
  await expect(openInput(callFor(join(tables, "c.csv")))).rejects.toThrow("there is no such file");
});
