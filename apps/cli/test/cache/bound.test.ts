/** The bound on memory, measured: what the system says that the process had in memory at most. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { bonmf, makeFolder } from "../binary.js";
import { makeCache } from "./store.js";

const cwd = makeFolder();
const cache = makeCache();
const SAMPLES = 240_000;
const FEATURES = 840;
const BOUND = 192;

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

// Only Linux tells.
describe.runIf(process.platform === "linux")(`data four times as large as ${BOUND} MB`, () => {
  it("are fitted within them, packing and all", () => {
    writeBytes(join(cwd, "large.npy"));
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
    const line = ["fit", "large.npy", "--k", "6", "--max-iterations", "4", "--memory", `${BOUND}MB`, "--json"];
    const { code, stdout, stderr } = bonmf([...line, "--assignments", "clusters.csv"], { cwd, env });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ engine: "disk", samples: SAMPLES, features: FEATURES });
    const [{ bytes }] = JSON.parse(bonmf(["cache", "--json"], { env: cache.env }).stdout).files;
    expect(bytes).toBeGreaterThan(4 * BOUND * 2 ** 20);
    const most = readFileSync(join(cwd, "most.txt"), "utf8").trim().split("\n").map(Number);
    expect(most).toHaveLength(2);
    for (const kilobytes of most) expect(kilobytes / 1024).toBeLessThan(BOUND);
  }, 120_000);
});
