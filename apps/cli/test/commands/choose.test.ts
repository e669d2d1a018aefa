import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { binary, hasPty, makeFolder, runBonmf, runInTerminal, writeBlobs } from "../binary.js";
import { makeCache } from "../cache/store.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 400, 8, 4);
const run = (...args: string[]) => runBonmf(["choose", "blobs.csv", ...args], { cwd });
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);

const ROW = {
  objective: expect.any(Number),
  relativeError: expect.any(Number),
  silhouette: expect.any(Number),
  stability: expect.any(Number),
  separation: expect.any(Number),
  reference: expect.any(Number),
  evidence: expect.any(Number),
  contrast: expect.any(Number),
  criterion: expect.any(Number),
  balance: null,
  heldOut: null,
  iterations: expect.any(Number),
  converged: true,
  seconds: expect.any(Number),
};

describe("choose", () => {
  it("finds the number of blobs, and keeps its promises to programs", async () => {
    const answer = await json("--label", "class", "--k", "2-6", "--out", "four.st", "--report", "four.html");
    expect(answer).toEqual({
      method: "bonmf",
      seed: 0,
      scale: expect.any(String),
      samples: 400,
      features: 8,
      sampled: 400,
      suggested: 4,
      structure: true,
      runnerUp: expect.any(Number),
      reason: expect.stringMatching(/^Gaps set 4 clusters off \(separation \d.*\. Two halves .*\.$/),
      rows: [2, 3, 4, 5, 6].map((k) => ({
        k,
        ...ROW,
        labelAccuracy: expect.any(Number),
        clusteringAccuracy: expect.any(Number),
        nmi: expect.any(Number),
        ari: expect.any(Number),
      })),
      model: "four.st",
      report: "four.html",
    });
    expect(readFileSync(join(cwd, "four.html"), "utf8")).toContain('"choice":{"k":4,"structure":true');
    expect(answer.rows[2]).toMatchObject({ labelAccuracy: 1, clusteringAccuracy: 1, nmi: 1, ari: 1 });
  });

  it("gives the numbers and the model that fit gives", async () => {
    const given = ["--label", "class", "--scale", "minmax", "--seed", "3", "--method", "spherical"];
    const { rows } = await json(...given, "--k", "4,5", "--out", "chosen.st");
    const fit = await runBonmf(
      ["fit", "blobs.csv", ...given, "--k", "4", "--restarts", "3", "--out", "fit.st", "--json"],
      {
        cwd,
      },
    );
    const { k, objective, relativeError, iterations, converged, nmi, ari } = JSON.parse(fit.stdout);
    expect(rows[0]).toMatchObject({ k, objective, relativeError, iterations, converged, nmi, ari });
    expect(readFileSync(join(cwd, "chosen.st")).equals(readFileSync(join(cwd, "fit.st")))).toBe(true);
  });

  it("shows one table, with the suggestion marked and explained", async () => {
    const { code, stdout, stderr } = await run("--exclude", "class", "--k", "2-5", "--restarts", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^blobs\.csv {2}400 samples × 8 features, bonmf, seed 0$/m);
    expect(stdout).toMatch(
      /^k +iterations +objective +relative error +separation +one group +contrast +stability +silhouette +time$/m,
    );
    expect(stdout).toMatch(/^4\* +\d+ +[\d,.]+ +0\.\d+( +−?\d\.\d{3}){5} +[\d.]+ m?s$/m);
    expect(stdout).toMatch(/^3 +\d+ /m);
    expect(stdout).toMatch(/^separation( ([▁▂▃▄▅▆▇█])\2){4}$/m);
    expect(stdout).toMatch(/^k +2 +3 +4 +5$/m);
    expect(stdout).toMatch(/\n\* suggested: k = 4\. Gaps set 4 clusters off/);
    expect((await run("--label", "class", "--k", "2,4")).stdout).toMatch(/time +label accuracy +NMI +ARI$/m);
  });

  it("goes by hidden entries where samples are mixtures of prototypes", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const [a, b] = [(i * 7) % 11, (i * 5) % 13];
      return [a, b, a + b, 2 * a + b, a + 3 * b, 4 * a].join(",");
    });
    writeFileSync(join(cwd, "mixtures.csv"), `a,b,c,d,e,f\n${rows.join("\n")}\n`);
    const given = ["choose", "mixtures.csv", "--method", "hals", "--scale", "none", "--k", "2-4"];
    const answer = JSON.parse((await runBonmf([...given, "--json"], { cwd })).stdout);
    expect(answer).toMatchObject({ suggested: 2, structure: true });
    expect(answer.rows[0].heldOut).toBeLessThan(0.01);
    const { stdout } = await runBonmf(given, { cwd });
    expect(stdout).toMatch(/^k +iterations +objective +relative error +held-out error +separation /m);
    expect(stdout).toMatch(/^held-out +(▁▁ ?){3}$/m);
    expect(stdout).toMatch(/\n\* suggested: k = 2\. 2 prototypes predict entries hidden from the fit/);
  });

  it("says what speaks against the suggestion", async () => {
    const notes = async (...args: string[]) => (await run("--exclude", "class", ...args)).stderr;
    expect(await notes("--k", "2-4")).toBe("note: 4 is the largest k tried: a larger one may be better\n");
    expect(await notes("--k", "4-6")).toBe("note: 4 is the smallest k tried: a smaller one may be better\n");
  });

  it("says that there are no clusters", async () => {
    writeNoise(join(cwd, "noise.csv"), 300, 4);
    const noise = (...args: string[]) => runBonmf(["choose", "noise.csv", ...args], { cwd });
    const { code, stdout } = await noise("--k", "2-6");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No clusters: for no k are the samples clearly sparser between/m);
    expect(JSON.parse((await noise("--k", "2-6", "--json")).stdout)).toMatchObject({ suggested: 1, structure: false });
  });

  it("chooses a range where none is given", async () => {
    const { suggested, rows } = await json("--exclude", "class");
    expect(suggested).toBe(4);
    expect(rows.map((row: { k: number }) => row.k)).toEqual(Array.from({ length: 19 }, (_, i) => i + 2));
  });

  it("says which fits limits stopped", async () => {
    const { stdout } = await run("--exclude", "class", "--k", "3-4", "--method", "nmf", "--max-iterations", "2", "-q");
    expect(stdout).toMatch(/^ *4\*? +2\+/m);
    expect(stdout).toContain("+ stopped at the iteration limit");
  });

  it("tries one cluster too, which has no silhouette", async () => {
    const { suggested, rows } = await json("--exclude", "class", "--k", "1,4,6");
    expect(suggested).toBe(4);
    expect(rows[0]).toMatchObject({ k: 1, silhouette: null, nmi: null });
  });

  it.each([
    [["--k", "2-"], '--k 2-: "2-" is neither a number of clusters nor a range'],
    [["--k", "3"], "--k 3 is a single number"],
    [["--k", "2,400,401"], "--k asks for 401 clusters, but there are only 400 samples"],
    [["--k", "2-3", "--table", "t"], "--table is for SQLite files"],
    [["--k", "2-3", "--out", "no/such/folder.st"], "no/such"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await run("--exclude", "class", ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe("fit --k auto", () => {
  const auto = (name: string, ...args: string[]) => runBonmf(["fit", name, "--k", "auto", ...args], { cwd });

  it("fits as many clusters as choose suggests, and says so first", async () => {
    const { code, stdout } = await auto("blobs.csv", "--label", "class");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^k = 4 was chosen\. Gaps set 4 clusters off/);
    const { k, choice } = JSON.parse((await auto("blobs.csv", "--label", "class", "--json")).stdout);
    expect({ k, choice }).toMatchObject({ k: 4, choice: { suggested: 4, structure: true, sampled: 400 } });
  });

  it("fits no other number, and shows the gaps of each on its page", async () => {
    await auto("blobs.csv", "--label", "class", "--report", "auto.html");
    const page = readFileSync(join(cwd, "auto.html"), "utf8");
    const { choice } = JSON.parse(page.match(/id="findings">(.*?)<\/script>/s)![1]);
    expect(choice.k).toBe(4);
    expect(choice.trials.length).toBeGreaterThan(10);
    for (const { separation, relativeError } of choice.trials) {
      expect({ separation, relativeError }).toEqual({ separation: expect.any(Number), relativeError: null });
    }
  });

  it("says first that there are no clusters, and fits one", async () => {
    writeNoise(join(cwd, "noise.csv"), 300, 4);
    const { code, stdout } = await auto("noise.csv");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No clusters: for no k/);
    expect(stdout).toMatch(/bonmf, k = 1, seed 0/);
  });

  it("needs a number or auto", async () => {
    expect((await runBonmf(["fit", "blobs.csv", "--k", "many"], { cwd })).stderr).toContain(
      '--k needs a whole number or auto, not "many"',
    );
  });
});

describe("choose where samples stay on disk", () => {
  const cache = makeCache();
  const disk = (...args: string[]) =>
    cache.run(["choose", "blobs.csv", "--label", "class", "--memory", "400MB", ...args], cwd);

  it("says the same of few samples, and fits the suggested k to all", async () => {
    const { code, stdout, stderr } = disk("--k", "2-7", "--json", "--out", "disk.st");
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("k is chosen from 400 of 400") });
    const still = ({ rows, model: _, ...answer }: { rows: Record<string, unknown>[]; model: string }) => ({
      ...answer,
      rows: rows.map(({ seconds: _, ...row }) => row),
    });
    const here = await json("--label", "class", "--k", "2-7", "--out", "here.st");
    expect(still(JSON.parse(stdout))).toEqual(still(here));
    expect(readFileSync(join(cwd, "disk.st")).equals(readFileSync(join(cwd, "here.st")))).toBe(true);
  });

  it("needs some memory", () => {
    expect(disk("--k", "2-4", "--memory", "20MB").stderr).toContain("is too little");
  });
});

describe("choose with --engine", () => {
  it("asks the cluster, in one message where there is none", async () => {
    const ask = async (...more: string[]) =>
      (await runBonmf(["choose", "--engine", "sc://127.0.0.1:1", "--k", "2-4", ...more], { cwd })).stderr;
    expect(await ask("--table", "t")).toMatch(/^error: no answer from 127\.0\.0\.1:1/);
    expect(await ask("--table", "t", "--scale", "minmax")).toContain("cannot be scaled");
    expect(await ask("--table", "t", "--label", "class")).toContain("--label cannot be used with --engine");
  });
});

describe.runIf(hasPty)("choose in a terminal", () => {
  it("shows how far it is, and Ctrl-C ends it with nothing written", async () => {
    const line = `${process.execPath} ${binary} choose blobs.csv --label class --k 2-9 --method onmf`;
    let typed = false;
    const { code, shown } = await runInTerminal(
      `${line} --max-iterations 100000 --out never.st`,
      { cwd },
      (shown, type) => {
        if (typed || !/choosing k .*fits/.test(shown)) return;
        typed = true;
        type("\x03");
      },
    );
    expect(code).toBe(130);
    expect(shown).toContain("stopped before the end");
    expect(existsSync(join(cwd, "never.st"))).toBe(false);
    expect(readdirSync(cwd).filter((name) => name.startsWith(".bonmf"))).toEqual([]);
  });
});

/** Uniform random numbers. */
function writeNoise(path: string, samples: number, features: number): void {
  let state = 5;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647).toFixed(6);
  };
  const row = () => Array.from({ length: features }, draw).join(",");
  const names = Array.from({ length: features }, (_, f) => `v${f}`).join(",");
  writeFileSync(path, `${[names, ...Array.from({ length: samples }, row)].join("\n")}\n`);
}

const digits = join(process.env.BONMF_DATA_DIR ?? "", "optdigits", "optdigits.csv.gz");
describe.runIf(process.env.BONMF_DATA_REAL === "1")("choose with real data", () => {
  it("sees gaps between digits", async () => {
    const args = ["choose", digits, "--label", "class", "--k", "6,9,10,14", "--out", "digits.st", "--json"];
    const { suggested, structure, rows } = JSON.parse((await runBonmf(args, { cwd })).stdout);
    expect(structure).toBe(true);
    expect(loadModel(readFileSync(join(cwd, "digits.st"))).k).toBe(suggested);
    expect(rows[2].nmi).toBeGreaterThan(rows[0].nmi);
  });
});
