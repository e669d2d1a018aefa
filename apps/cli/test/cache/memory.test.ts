import { describe, expect, it } from "vitest";
import { chooseMemory } from "../../src/cache/memory-limit.js";
import { parseMemory } from "../../src/cache/memory-size.js";
import type { Call, Options } from "../../src/command.js";
import { UserError } from "../../src/errors.js";
import { findFiles } from "../../src/read/files/sources.js";
import { makeFolder, writeBlobs } from "../binary.js";

describe("an amount of memory", () => {
  it.each([
    ["512MB", 512 * 2 ** 20],
    ["1.5 GB", 1.5 * 2 ** 30],
    ["64m", 64 * 2 ** 20],
    ["2GiB", 2 ** 31],
    ["100000kb", 100_000 * 1024],
    ["25%", 250],
  ])("%s", (text, bytes) => expect(parseMemory(text, 1000)).toBe(bytes));

  it.each(["", "MB", "-5MB", "12", "0MB", "200%", "5 apples"])("not %j", (text) => {
    expect(() => parseMemory(text, 1000)).toThrow(UserError);
  });
});

describe("where samples are swept", () => {
  const path = `${makeFolder()}/blobs.csv`;
  // About 48 kB as numbers.
  writeBlobs(path, 1000, 12, 3);

  function call(memory?: string): { call: Call; notes: string[] } {
    const notes: string[] = [];
    const none = () => undefined;
    const options = {
      string: (name: string) => ({ memory, label: "class" })[name],
      number: none,
      flag: () => false,
      list: none,
    } as Options;
    const terminal = { note: (text: string) => notes.push(text) } as unknown as Call["terminal"];
    return { call: { args: [path], options, terminal, signal: new AbortController().signal }, notes };
  }

  it("in memory, where they fit", async () => {
    const { call: given, notes } = call();
    expect(await chooseMemory(given, await findFiles([path]), 2 ** 30)).toBeNull();
    expect(await chooseMemory(given, await findFiles([path]), 100_000)).toBeNull();
    expect(notes).toEqual([]);
  });

  it("on disk, where they do not, and it says so", async () => {
    const { call: given, notes } = call();
    expect(await chooseMemory(given, await findFiles([path]), 50_000)).toBe(25_000);
    expect(notes).toEqual([
      expect.stringMatching(/the samples need about 4\d\.\d kB but only 50\.0 kB of memory is free/),
    ]);
  });

  it("on disk, where that is asked for", async () => {
    const { call: given, notes } = call("300MB");
    expect(await chooseMemory(given, await findFiles([path]), 2 ** 40)).toBe(300 * 2 ** 20);
    expect(notes).toEqual([]);
  });
});
