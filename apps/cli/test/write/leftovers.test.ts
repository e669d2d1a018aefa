import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryFolder, sweepLeftovers, temporaryName } from "../../src/write/leftovers.js";
import { makeFolder } from "../binary.js";

/** Linux and macOS count processes to 4,194,304 at most. */
const NOBODY = "99999999";
const WEEK_MS = 7 * 24 * 3600 * 1000;

const nameOf = (process: string | number) => temporaryName(".part").replace(/-\d+-/, `-${process}-`);
const elsewhere = (name: string) => name.replace(/-([0-9a-f]{6})-/, (_, own) => `-${own === "000000" ? 1 : "000000"}-`);

it("removes what dead processes left, and nothing else", async () => {
  const folder = makeFolder();
  const place = (name: string) => join(folder, name);
  const dead = nameOf(NOBODY);
  const left = nameOf(NOBODY).replace(/^\.|\.part$/g, "");
  const running = nameOf(process.pid);
  const old = elsewhere(nameOf(NOBODY));
  const distant = elsewhere(nameOf(NOBODY));
  const others = [running, distant, ".bonmf-x.part", "bonmf-notes.txt", "data.csv"];
  for (const name of [dead, old, ...others]) writeFileSync(place(name), "");
  mkdirSync(join(place(left), "spill"), { recursive: true });
  utimesSync(place(old), new Date(), new Date(Date.now() - WEEK_MS - 1000));
  await sweepLeftovers(folder);
  expect(readdirSync(folder).sort()).toEqual(others.sort());
});

it("does not follow a link", async () => {
  const [folder, kept] = [makeFolder(), makeFolder()];
  writeFileSync(join(kept, "a"), "");
  symlinkSync(kept, join(folder, nameOf(NOBODY)));
  await sweepLeftovers(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(kept)).toEqual(["a"]);
});

it("makes folders and names that cannot be guessed", async () => {
  expect(temporaryName(".part")).not.toBe(temporaryName(".part"));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = makeFolder();
  try {
    const [a, b] = [await makeTemporaryFolder(), await makeTemporaryFolder()];
    expect(a).not.toBe(b);
    expect(dirname(a)).toBe(tmpdir());
    process.env.TMPDIR = join(a, "none");
    await expect(makeTemporaryFolder()).rejects.toMatchObject({ hint: expect.stringContaining("set TMPDIR") });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});
