import { readdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { binary, hasPty, makeFolder, runInTerminal, writeBlobs } from "./binary.js";

const cwd = makeFolder();
// Each would take minutes: the test that a signal ends it is that it ends.
const SIZE = 400 * 2 ** 20;
const ENDS = 60_000;

/** A packed file of some hundred megabytes, which repeats a line after its head. */
function writeBomb(name: string, head: string, line: string): string {
  const packed = gzipSync(
    Buffer.alloc(16 * 2 ** 20, line).subarray(0, Math.floor((16 * 2 ** 20) / line.length) * line.length),
  );
  // Members of a gzip file follow one another.
  writeFileSync(join(cwd, name), Buffer.concat([gzipSync(head), ...Array(SIZE / (16 * 2 ** 20)).fill(packed)]));
  return name;
}

/** Runs the command in a terminal, sends it a signal once it shows that it is at work, and tells how it ended and what it left. */
async function stop(args: readonly string[], signal: NodeJS.Signals, sign = /reading|packing|choosing/i) {
  const scratch = makeFolder();
  let sent = false;
  const line = `echo process $$; exec ${process.execPath} ${binary} ${args.join(" ")}`;
  const { code, shown } = await runInTerminal(
    line,
    { cwd, env: { TMPDIR: scratch, XDG_CACHE_HOME: scratch } },
    (text) => {
      if (sent || !sign.test(text)) return;
      sent = true;
      process.kill(Number(/process (\d+)/.exec(text)?.[1]), signal);
    },
  );
  const left = [...readdirSync(scratch), ...readdirSync(cwd)].filter((name) => /^\.?bonmf-|\.part$/.test(name));
  return { code, left, sent, ...(code !== 128 + constants.signals[signal] && { shown }) };
}

writeBlobs(join(cwd, "blobs.csv"), 3000, 40, 12);
const svm = writeBomb("a.svm.gz", "", "1 1:0.25 2:0.5 3:1e-3 7:123.456\n");
const market = writeBomb(
  "a.mtx.gz",
  "%%MatrixMarket matrix coordinate real general\n900000 9 30000000\n",
  "7 3 0.25\n",
);
const arff = writeBomb("a.arff.gz", "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n", "0.123456,x\n");
const csv = writeBomb("a.csv.gz", "a,b,c\n", "0.25,1e-3,123.456\n0.5,2e-3,7.25\n");
const json = writeBomb("a.jsonl.gz", "", '{"a":0.25,"b":1e-3}\n');
const text = writeBomb("a.txt.gz", "", "the quick brown fox jumps over the lazy dog again and again\n");

/** Slow methods that never settle. */
const slow = ["--method", "onmf", "--max-iterations", "1000000"];
const fit = (source: string) => ["fit", source, "--k", "3", "--out", "never.st", ...slow];

describe.runIf(hasPty)("a signal ends", () => {
  it.each([
    ["reading LIBSVM", "SIGINT", fit(svm)],
    ["reading Matrix Market", "SIGTERM", fit(market)],
    ["reading ARFF", "SIGHUP", fit(arff)],
    ["reading CSV", "SIGTERM", fit(csv)],
    ["reading JSON lines", "SIGINT", fit(json)],
    ["counting words", "SIGTERM", fit(text)],
    ["converting", "SIGHUP", ["convert", csv, "never.parquet"]],
    ["choosing k", "SIGINT", ["choose", "blobs.csv", "--label", "class", "--k", "2-40", ...slow]],
  ] as [string, NodeJS.Signals, string[]][])("%s, by %s", { timeout: ENDS }, async (_, signal, args) => {
    expect(await stop(args, signal)).toEqual({ code: 128 + constants.signals[signal], left: [], sent: true });
    expect(readdirSync(cwd).filter((name) => name.startsWith("never"))).toEqual([]);
  });

  it("a fit, which SIGHUP saves as Ctrl-C does", { timeout: ENDS }, async () => {
    const args = ["fit", "blobs.csv", "--label", "class", "--k", "12", "--out", "stopped.st", ...slow];
    expect(await stop(args, "SIGHUP", /fitting .*iterations?/)).toEqual({ code: 129, left: [], sent: true });
    expect(readdirSync(cwd)).toContain("stopped.st");
  });
});
