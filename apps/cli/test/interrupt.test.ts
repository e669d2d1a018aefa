import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { binary, bonmf, hasPty, makeFolder, runInTerminal, writeBlobs } from "./binary.js";

const cwd = makeFolder();
const command = `${process.execPath} ${binary}`;
// Long enough to be interrupted: many iterations of a slow method that never settles.
const fit = "fit blobs.csv --label class --k 12 --method onmf --max-iterations";
const slow = `${fit} 100000`;
writeBlobs(join(cwd, "blobs.csv"), 3000, 40, 12);

/** Types Ctrl-C once the terminal shows that the work is under way. */
function interrupt(line: string, { times = 1, sign = /fitting .*iterations?/, env = {} } = {}) {
  let typed = false;
  return runInTerminal(line, { cwd, env }, (shown, type) => {
    if (typed || !sign.test(shown)) return;
    typed = true;
    type("\x03".repeat(times));
  });
}

describe.runIf(hasPty)("in a terminal", () => {
  it("shows progress and takes it away", async () => {
    const line = `${command} ${fit} 400 > result.txt`;
    const { code, shown } = await runInTerminal(line, { cwd });
    expect(code).toBe(0);
    expect(shown).toMatch(/fitting █*░* \d+ % {2}\d+ iterations {2}[\d,.]+\/s {2}≤ \d+ s left {2}error 0\.\d+/);
    expect(shown.split("\r\x1b[2K").at(-1)).toMatch(/^(note: .*\r\n)*$/);
    expect(readFileSync(join(cwd, "result.txt"), "utf8")).toMatch(/^blobs\.csv {2}3,000 samples/);
    expect(readFileSync(join(cwd, "result.txt"), "utf8")).not.toContain("\x1b");
  });

  it("shows how far the choice of k is, which Ctrl-C ends at once", async () => {
    const words = Array.from({ length: 4000 }, (_, i) => `word${(i * 7919) % 997}`);
    const lines = Array.from({ length: 3000 }, (_, i) => words.slice(i % 3900, (i % 3900) + 60).join(" "));
    writeFileSync(join(cwd, "documents.txt"), lines.join("\n"));
    for (const [task, sign] of [
      ["topics documents.txt", /choosing k █*░* \d+ %/],
      ["choose documents.txt", /measuring gaps █*░* \d+ %/],
    ] as const) {
      const { code, shown } = await interrupt(`${command} ${task}`, { sign });
      expect(code).toBe(130);
      expect(shown).toMatch(sign);
      expect(shown).toContain("interrupted");
    }
  });

  it("shows none with --quiet", async () => {
    const line = `${command} ${fit} 400 --quiet > result.txt`;
    expect(await runInTerminal(line, { cwd })).toEqual({ code: 0, shown: "" });
  });

  it("Ctrl-C saves what was asked for, says how to go on and exits with 130", async () => {
    const { code, shown } = await interrupt(`${command} ${slow} --out stopped.st --assignments stopped.csv`);
    expect(code).toBe(130);
    const [, reached] = shown.match(/stopped after (\d+) iterations?; the model so far is in stopped\.st/) ?? [];
    expect(shown).toContain(
      `continue with: bonmf ${slow} --out stopped.st --assignments stopped.csv --resume stopped.st`,
    );
    const model = loadModel(readFileSync(join(cwd, "stopped.st")));
    expect(model.stopped).toBe("aborted");
    expect(model.iterations).toBe(Number(reached));
    expect(readFileSync(join(cwd, "stopped.csv"), "utf8").trimEnd().split("\n")).toHaveLength(3001);
    expect(readdirSync(cwd).filter((name) => name.startsWith(".bonmf"))).toEqual([]);

    // Going on for three more iterations ends where a fit of that many does.
    const limit = String(model.iterations + 3);
    const args = ["fit", "blobs.csv", "--label", "class", "--max-iterations", limit, "--json"];
    const { seconds: _, ...late } = JSON.parse(bonmf([...args, "--resume", "stopped.st"], { cwd }).stdout);
    const { seconds: __, ...whole } = JSON.parse(bonmf([...args, "--k", "12", "--method", "onmf"], { cwd }).stdout);
    expect(late).toEqual(whole);
    expect(late.iterations).toBe(model.iterations + 3);
  });

  it("Ctrl-C makes no report of what a fit has reached, and says so", async () => {
    const { code, shown } = await interrupt(`${command} ${slow} --out page.st --report page.html`);
    expect(code).toBe(130);
    expect(shown).toContain("the model so far is in page.st; not written: page.html");
    expect(existsSync(join(cwd, "page.html"))).toBe(false);
  });

  it("Ctrl-C without --out saves nothing and says so", async () => {
    const { code, shown } = await interrupt(`${command} ${slow}`);
    expect(code).toBe(130);
    expect(shown).toContain("nothing was saved");
    expect(shown).toContain("with --out FILE an interrupted fit can be resumed");
  });

  it("with --json says so to programs", async () => {
    const { code } = await interrupt(`${command} ${slow} --json > stopped.json`);
    expect(code).toBe(130);
    const { error } = JSON.parse(readFileSync(join(cwd, "stopped.json"), "utf8"));
    expect(error.code).toBe("interrupted");
  });

  it("a second Ctrl-C ends it at once and leaves no half-written file", async () => {
    const { code } = await interrupt(`${command} ${slow} --out twice.st`, { times: 2 });
    expect(code).toBe(130);
    if (existsSync(join(cwd, "twice.st"))) expect(loadModel(readFileSync(join(cwd, "twice.st"))).k).toBe(12);
    expect(readdirSync(cwd).filter((name) => name.startsWith(".bonmf"))).toEqual([]);
  });

  it("Ctrl-C while reading leaves nothing behind", async () => {
    const scratch = makeFolder();
    // There is no end to this file.
    const line = `yes 1,2,3 | ${command} fit - --k 2 --out never.st`;
    const { code, shown } = await interrupt(line, { sign: /reading .*MB/, env: { TMPDIR: scratch } });
    expect(code).toBe(130);
    expect(shown).toContain("interrupted");
    expect(existsSync(join(cwd, "never.st"))).toBe(false);
    expect(readdirSync(scratch)).toEqual([]);
  });
});
