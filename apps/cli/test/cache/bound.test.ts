/** The bound on memory: what the system says that the processes had at most, and where it kills those that take more. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { binary, bonmf, makeFolder } from "../binary.js";
import { makeCache } from "./store.js";

const cwd = makeFolder();
const cache = makeCache();
/** `npm test` packs little more than the bound, the sweeps of .ci/run four times as much. */
const SAMPLES = process.env.BONMF_SWEEPS === "all" ? 240_000 : 130_000;
const FEATURES = 840;
const BOUND = 320;

/** An array of bytes around six centres; each becomes four in memory. */
function writeBytes(path: string): void {
  const head = Buffer.alloc(128, " ");
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
  head.write(`{'descr': '|u1', 'fortran_order': False, 'shape': (${SAMPLES}, ${FEATURES}), }`, 10);
  head.write("\n", 127);
  const file = openSync(path, "w");
  writeSync(file, head);
  let state = 1;
  const rows = Buffer.alloc(1000 * FEATURES);
  for (let i = 0; i < SAMPLES; i += 1000) {
    for (let p = 0; p < rows.length; p++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const high = (Math.floor(p / FEATURES) + p) % 6 === 0;
      rows[p] = 1 + (state >>> 26) + (high ? 90 : 0);
    }
    writeSync(file, rows);
  }
  closeSync(file);
}

/** A group of processes that Linux ends when they take more than `bytes` together; null where none can be made. */
function makeGroup(bytes: number): string | null {
  const places = [
    { folder: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes" },
    { folder: "/sys/fs/cgroup", limit: "memory.max" },
  ];
  for (const { folder, limit } of places) {
    const group = join(folder, `bonmf-test-${process.pid}`);
    try {
      mkdirSync(group);
      if (existsSync(join(group, limit))) {
        writeFileSync(join(group, limit), String(bytes));
        return group;
      }
      rmdirSync(group);
    } catch {
      // Not there, or not for this user.
    }
  }
  return null;
}

/** Runs node in a group. */
function runIn(group: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const line = ["-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', group, process.execPath, ...args];
  return spawnSync("sh", line, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });
}

// Only Linux tells.
describe.runIf(process.platform === "linux")(`data larger than ${BOUND} MB`, () => {
  beforeAll(() => writeBytes(join(cwd, "large.npy")));

  const line = ["fit", "large.npy", "--k", "6", "--max-iterations", "4", "--memory", `${BOUND}MB`, "--json"];
  const group = makeGroup(BOUND * 2 ** 20);
  afterAll(() => {
    if (group !== null) rmdirSync(group);
  });

  it.skipIf(group === null)("are fitted where the kernel allows no more", () => {
    const greedy = runIn(group!, ["-e", `Buffer.alloc(${2 * BOUND} * 2 ** 20, 1)`]);
    expect(greedy.signal).toBe("SIGKILL");
    const { status, stdout, stderr } = runIn(group!, [binary, ...line], makeCache().env);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ engine: "disk", samples: SAMPLES, features: FEATURES });
  });

  it("are fitted within them, packing and all", () => {
    const watcher = join(cwd, "watch.mjs");
    // Also in the process that packs.
    writeFileSync(
      watcher,
      `import { appendFileSync, readFileSync } from "node:fs";
      import { isMainThread } from "node:worker_threads";
      if (isMainThread) process.on("exit", () => {
        const most = /VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
        appendFileSync(${JSON.stringify(join(cwd, "most.txt"))}, most + "\\n");
      });`,
    );
    const env = { ...cache.env, NODE_OPTIONS: `--import=${pathToFileURL(watcher)}` };
    const { code, stdout, stderr } = bonmf([...line, "--assignments", "clusters.csv"], { cwd, env });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ engine: "disk", samples: SAMPLES, features: FEATURES });
    const [{ bytes }] = JSON.parse(bonmf(["cache", "--json"], { env: cache.env }).stdout).files;
    expect(bytes).toBeGreaterThan(1.2 * BOUND * 2 ** 20);
    const most = readFileSync(join(cwd, "most.txt"), "utf8").trim().split("\n").map(Number);
    expect(most).toHaveLength(2);
    for (const kilobytes of most) expect(kilobytes / 1024).toBeLessThan(BOUND);
  });
});
