/** Samples in the cache are nobody else's to read, and a cache that fails costs no fit. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { temporaryName } from "../../src/write/leftovers.js";
import { binary, bonmf, makeFolder, writeBlobs } from "../binary.js";
import { makeCache } from "./store.js";

const cwd = makeFolder();
const cache = makeCache();
const blobs = join(cwd, "blobs.csv");
writeBlobs(blobs, 3000, 20, 4);
const args = ["fit", "blobs.csv", "--label", "class", "--k", "4", "--memory", "400MB", "--out", "model.st"];
const model = () => readFileSync(join(cwd, "model.st"));
const PACKED = "was packed on disk";
/** Linux and macOS count processes to 4,194,304 at most. */
const NOBODY = 99_999_999;
const windows = process.platform === "win32";

it.skipIf(windows)("is private whatever the umask, also where an older version made it readable", () => {
  mkdirSync(cache.folder, { recursive: true, mode: 0o755 });
  const before = process.umask(0);
  try {
    expect(cache.run(args, cwd).code).toBe(0);
  } finally {
    process.umask(before);
  }
  expect(statSync(cache.folder).mode & 0o777).toBe(0o700);
  expect(cache.list(".pack")).toHaveLength(1);
  for (const name of readdirSync(cache.folder)) expect(statSync(join(cache.folder, name)).mode & 0o777).toBe(0o600);
});

it("knows a file by its bytes where size and time are the same", () => {
  const { atime, mtime } = statSync(blobs);
  const table = readFileSync(blobs, "utf8");
  cache.run(args, cwd);
  const first = model();
  writeFileSync(
    blobs,
    table.replace(/\n\d/, (found) => (found === "\n1" ? "\n2" : "\n1")),
  );
  utimesSync(blobs, atime, mtime);
  expect(cache.run(args, cwd).stderr).toContain(PACKED);
  expect(model()).not.toEqual(first);
  writeFileSync(blobs, table);
});

it("that is cleared by another process in mid-fit leaves the fit alone", async () => {
  const line = [...args, "--method", "onmf", "--tolerance", "0", "--max-iterations", "60", "--assignments", "rows.csv"];
  cache.run(line, cwd);
  const [whole, rows] = [model(), readFileSync(join(cwd, "rows.csv"))];
  const child = spawn(process.execPath, [binary, ...line], {
    cwd,
    env: { ...process.env, ...cache.env },
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  while (cache.list(".safetensors").length === 0 && child.exitCode === null) await sleep(2);
  cache.run(["cache", "clear"], cwd);
  expect(await gone).toBe(0);
  expect(model().equals(whole)).toBe(true);
  expect(readFileSync(join(cwd, "rows.csv")).equals(rows)).toBe(true);
});

it("that cannot be made is an error with a remedy", () => {
  const blocked = join(cwd, "blocked");
  writeFileSync(blocked, "");
  const { code, stderr } = bonmf(args, { cwd, env: { ...cache.env, XDG_CACHE_HOME: blocked } });
  expect(code).toBe(1);
  expect(stderr).toContain("hint: set XDG_CACHE_HOME to a folder of your own");
});

it("that is read-only is used as it is", () => {
  cache.run(args, cwd);
  const first = model();
  chmodSync(cache.folder, 0o500);
  try {
    const { code, stderr } = cache.run(args, cwd);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining(PACKED)]);
    expect(model().equals(first)).toBe(true);
  } finally {
    chmodSync(cache.folder, 0o700);
  }
});

it("loses what a killed process left in it", () => {
  const left = join(cache.folder, temporaryName(".part").replace(`-${process.pid}-`, `-${NOBODY}-`));
  mkdirSync(cache.folder, { recursive: true });
  writeFileSync(left, "");
  cache.run(args, cwd);
  expect(cache.list(".part")).toEqual([]);
});
