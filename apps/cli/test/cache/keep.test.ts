/** What is kept between runs: packs while their source is unchanged, and fits that were killed. */
import { spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadModel } from "bonmf";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { binary, makeFolder, writeBlobs } from "../binary.js";
import { makeCache } from "./store.js";

const cwd = makeFolder();
const cache = makeCache();
const blobs = join(cwd, "blobs.csv");
writeBlobs(blobs, 6000, 30, 5);
const args = ["fit", "blobs.csv", "--label", "class", "--k", "5", "--memory", "400MB", "--out", "model.st"];
const fit = () => cache.run(args, cwd);
const model = () => readFileSync(join(cwd, "model.st"));
const PACKED = "was packed on disk";
/** Another process needs a moment to end, and a busy machine a long one. */
const FOREVER_MS = 600_000;

beforeEach(() => void cache.run(["cache", "clear"], cwd));

describe("a pack", () => {
  it("is made once, and again when the source has changed", () => {
    expect(fit().stderr).toContain(PACKED);
    const first = model();
    expect(fit().stderr).not.toContain(PACKED);
    expect(model()).toEqual(first);
    expect(cache.list(".pack")).toHaveLength(1);

    utimesSync(blobs, new Date(), new Date(Date.now() + 5000));
    expect(fit().stderr).toContain(PACKED);
    const table = readFileSync(blobs, "utf8");
    writeFileSync(blobs, table.replace(/\n[^\n]+\n$/, "\n"));
    expect(fit().stderr).toContain(PACKED);
    expect(model()).not.toEqual(first);
    writeFileSync(blobs, table);
  });

  it("is another for other columns and another scale", () => {
    fit();
    expect(cache.run([...args, "--scale", "minmax"], cwd).stderr).toContain(PACKED);
    expect(cache.run([...args, "--exclude", "x1"], cwd).stderr).toContain(PACKED);
    expect(cache.run([...args, "--seed", "4", "--threads", "2"], cwd).stderr).not.toContain(PACKED);
    expect(cache.list(".pack")).toHaveLength(3);
  });

  it("of a query is made again when a file it names has changed", () => {
    copyFileSync(blobs, join(cwd, "asked.csv"));
    const query = ["fit", "--sql", "select * exclude (class) from 'asked.csv'", "--k", "5", "--memory", "400MB"];
    expect(cache.run(query, cwd).stderr).toContain(PACKED);
    expect(cache.run(query, cwd).stderr).not.toContain(PACKED);
    writeFileSync(join(cwd, "asked.csv"), readFileSync(blobs, "utf8").split("\n").slice(0, 4000).join("\n"));
    expect(cache.run(query, cwd).stderr).toContain(PACKED);
  });

  let good: { name: string; bytes: Buffer; model: Buffer } | null = null;
  it.each([
    ["with a byte changed", (path: string) => flip(path, 5000)],
    ["with a byte of its header changed", (path: string) => flip(path, readFileSync(path).length - 200)],
    ["that ends early", (path: string) => truncateSync(path, 300_000)],
    ["that is empty", (path: string) => truncateSync(path, 0)],
  ])("%s is made again", (_, damage) => {
    if (good === null) {
      fit();
      const [name] = cache.list(".pack");
      good = { name, bytes: readFileSync(join(cache.folder, name)), model: model() };
    }
    const path = join(cache.folder, good.name);
    mkdirSync(cache.folder, { recursive: true });
    writeFileSync(path, good.bytes);
    damage(path);
    const { code, stderr } = fit();
    expect(code).toBe(0);
    expect(stderr).toContain(PACKED);
    expect(model()).toEqual(good.model);
    expect(readFileSync(path).equals(good.bytes)).toBe(true);
  });
});

function flip(path: string, at: number): void {
  const file = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  writeSync(file, Buffer.of(byte[0] ^ 8), 0, 1, at);
}

/** Stops the command as soon as `sign` is true, and says how it ended. */
async function stop(line: readonly string[], how: "SIGKILL" | "SIGINT", sign: () => boolean): Promise<unknown> {
  const child = spawn(process.execPath, [binary, ...line], {
    cwd,
    env: { ...process.env, ...cache.env },
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));
  while (!sign() && child.exitCode === null) await sleep(5);
  child.kill(how);
  return gone;
}

const isKept = () => cache.list(".safetensors").length > 0;

describe("a fit that is killed", () => {
  // Real codes depend on those before, labels on the prototypes alone: both must be found again.
  it.each([
    ["onmf", "3"],
    ["bonmf", "80"],
  ])("goes on to the same bits, %s", async (method, restarts) => {
    const slow = ["fit", "blobs.csv", "--label", "class", "--k", "24", "--method", method, "--tolerance", "0"];
    const line = [...slow, "--max-iterations", "40", "--restarts", restarts, "--out", "model.st"];
    cache.run(line, cwd);
    const whole = model();
    const disk = [...line, "--memory", "500MB"];
    expect(await stop(disk, "SIGKILL", isKept)).toBe("SIGKILL");
    const { code, stderr } = cache.run(disk, cwd);
    expect(code).toBe(0);
    expect(stderr).toMatch(/resuming after iteration \d+ of an interrupted run/);
    expect(model().equals(whole)).toBe(true);
    expect(cache.list(".safetensors")).toEqual([]);
  });

  it("begins anew where what it had kept is damaged", async () => {
    const line = [...args, "--method", "onmf", "--max-iterations", "300"];
    expect(await stop(line, "SIGKILL", isKept)).toBe("SIGKILL");
    truncateSync(join(cache.folder, cache.list(".safetensors")[0]), 100);
    const { code, stderr } = cache.run([...line.slice(0, -1), "300"], cwd);
    expect(code).toBe(0);
    expect(stderr).not.toContain("resuming after");
  });

  it("while packing leaves no pack behind, and the next run makes it", async () => {
    writeBlobs(join(cwd, "large.csv"), 60_000, 30, 5);
    const line = ["fit", "large.csv", "--label", "class", "--k", "5", "--memory", "500MB"];
    expect(await stop(line, "SIGKILL", () => cache.list(".part").length > 0)).toBe("SIGKILL");
    await vi.waitFor(() => expect(cache.list(".part")).toEqual([]), FOREVER_MS);
    expect(cache.list(".pack")).toEqual([]);
    expect(cache.run(line, cwd).stderr).toContain(PACKED);
  });
});

describe("Ctrl-C", () => {
  it("saves what was asked for, from which the fit goes on", async () => {
    const slow = ["fit", "blobs.csv", "--label", "class", "--memory", "500MB", "--out", "model.st", "--max-iterations"];
    expect(await stop([...slow, "100000", "--k", "24", "--method", "onmf", "--tolerance", "0"], "SIGINT", isKept)).toBe(
      130,
    );
    const { iterations } = loadModel(model());
    const limit = String(iterations + 3);
    expect(cache.run([...slow, limit, "--resume", "model.st"], cwd).code).toBe(0);
    const late = model();
    cache.run(
      [
        "fit",
        ...slow.slice(1, 4),
        "--k",
        "24",
        "--method",
        "onmf",
        "--tolerance",
        "0",
        "--out",
        "model.st",
        "--max-iterations",
        limit,
      ],
      cwd,
    );
    expect(loadModel(model()).W).toEqual(loadModel(late).W);
    expect(loadModel(model()).history).toEqual(loadModel(late).history);
  });

  it("while packing leaves nothing behind", async () => {
    writeBlobs(join(cwd, "large.csv"), 60_000, 30, 5);
    const line = ["fit", "large.csv", "--label", "class", "--k", "5", "--memory", "500MB"];
    expect(await stop(line, "SIGINT", () => cache.list(".part").length > 0)).toBe(130);
    await vi.waitFor(() => expect(cache.list("")).toEqual([]), FOREVER_MS);
  });
});

describe("bonmf cache", () => {
  it("lists packs and removes them", () => {
    expect(cache.run(["cache"], cwd).stdout).toContain("no packed samples in");
    fit();
    const shown = cache.run(["cache", "list"], cwd).stdout;
    expect(shown).toMatch(
      /what +size +samples +features +used +source\nsamples +[\d.]+ kB +6,000 +30 +[\d: -]+ +blobs\.csv/,
    );
    const { files } = JSON.parse(cache.run(["cache", "--json"], cwd).stdout);
    expect(files).toMatchObject([{ what: "pack", samples: 6000, features: 30, source: "blobs.csv" }]);
    expect(cache.run(["cache", "clear"], cwd).stdout).toContain("cleared");
    expect(cache.list("")).toEqual([]);
    expect(JSON.parse(cache.run(["cache", "--json"], cwd).stdout).files).toEqual([]);
  });

  it("says what it can do", () => {
    expect(cache.run(["cache", "burn"], cwd).stderr).toContain("choose list or clear");
  });
});
