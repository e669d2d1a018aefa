import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Call, Options } from "../../src/command.js";
import { openDisk } from "../../src/input/disk.js";
import { openInput } from "../../src/input/input.js";
import { findBudget } from "../../src/read/memory-budget.js";
import { fitInput } from "../../src/tasks/fit-driver.js";
import { makeFolder } from "../binary.js";

vi.mock("../../src/input/disk.js", () => ({ openDisk: vi.fn(async () => ({ place: "disk" })) }));
vi.mock("../../src/read/memory-budget.js", async (original) => {
  const real = await original<typeof import("../../src/read/memory-budget.js")>();
  return { ...real, findBudget: vi.fn(real.findBudget) };
});

const folder = makeFolder();
const table = join(folder, "table.csv");
writeFileSync(table, `x,y\n${"1,2\n3,4\n".repeat(1000)}`);
const sparse = join(folder, "wide.svm");
writeFileSync(sparse, "1 1:1 2:3\n2 100000:1\n");

function callFor(...args: string[]) {
  const notes: string[] = [];
  const none = () => undefined;
  const options: Options = { string: none, number: none, flag: () => false, list: none };
  const progress = () => ({ update: none, end: none });
  const terminal = { note: (text: string) => notes.push(text), progress } as unknown as Call["terminal"];
  return { call: { args, options, terminal, signal: new AbortController().signal }, notes };
}

it("keeps a table on disk that is larger than its budget, whatever the size of its file", async () => {
  vi.mocked(findBudget).mockResolvedValueOnce(10_000);
  const { call, notes } = callFor(table);
  expect(await openInput(call)).toEqual({ place: "disk" });
  const [, files, memory] = vi.mocked(openDisk).mock.calls[0];
  expect({ path: files[0].path, memory }).toEqual({ path: table, memory: 10_000 });
  expect(notes.at(-1)).toMatch(
    /^note: the samples need 16\.0 kB or more, .* they stay on disk, and the fit uses 10\.0 kB/,
  );
});

it("refuses what cannot be read in parts", async () => {
  vi.mocked(findBudget).mockResolvedValueOnce(10_000);
  await expect(openInput(callFor(sparse).call)).rejects.toMatchObject({
    code: "memory",
    message: expect.stringContaining("claims 100000 features"),
    hint: "if that is right, allow it with --memory 1GB",
  });
});

it("refuses prototypes that are larger than the budget before they are allocated", async () => {
  vi.mocked(findBudget).mockResolvedValueOnce(10_000_000);
  const { call } = callFor(sparse);
  const input = await openInput(call);
  expect(input).toMatchObject({ place: "memory", features: 100_000, budget: 10_000_000 });
  await expect(fitInput(input, call.terminal, { title: "", options: { k: 2 } })).rejects.toMatchObject({
    code: "memory",
    message: expect.stringContaining("k = 2 prototypes of 100000 features, for which it takes 32.0 MB"),
  });
});
