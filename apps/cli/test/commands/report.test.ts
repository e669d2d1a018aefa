import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel, saveModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { binary, makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 300, 6, 3);
writeFileSync(
  join(cwd, "news.csv"),
  `text,class
the striker scored and the team won the match,sport
the keeper saved the match for the home team,sport
the minister promised lower taxes before the election,politics
voters doubt the taxes of the new minister,politics
`,
);
await runBonmf(["fit", "blobs.csv", "--k", "3", "--seed", "4", "--label", "class", "--out", "m.st"], { cwd });
const run = (...args: string[]) => runBonmf(["report", ...args], { cwd });
const read = (name: string) => readFileSync(join(cwd, name), "utf8");

/** What the page carries. */
function findingsOf(name: string) {
  const [, data] = /id="findings">([\s\S]*?)<\/script>/.exec(read(name))!;
  return JSON.parse(data);
}

describe("report", () => {
  it("writes one page about a model and its samples, and says where", async () => {
    const { code, stdout, stderr } = await run("m.st", "blobs.csv", "--label", "class", "-o", "page.html");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^300 samples in 3 clusters: report written to page\.html \([\d.]+ kB\)\n$/);
    expect(stderr).toMatch(/^open it in a browser: file:\/\/\S+\/page\.html$/m);
    const { run: fitted, agreement, source, form, repeat } = findingsOf("page.html");
    expect(fitted).toMatchObject({ method: "bonmf", k: 3, seed: 4, same: true });
    expect(agreement.classes).toEqual(["c0", "c1", "c2"]);
    expect({ source, form }).toEqual({ source: "blobs.csv", form: "table" });
    expect(repeat.command).toMatch(/^bonmf fit blobs\.csv --k 3 --seed 4 --method bonmf .*--label class$/);
  });

  it("is called report.html unless told otherwise, and tells programs about it", async () => {
    const { code, stdout } = await run("m.st", "blobs.csv", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      model: "m.st",
      k: 3,
      samples: 300,
      features: 6,
      labels: true,
      out: "report.html",
      bytes: statSync(join(cwd, "report.html")).size,
    });
  });

  it.skipIf(process.platform === "win32")("reads the model once, which may be a pipe", async () => {
    await runBonmf(["topics", "news.csv", "--k", "2", "--out", "topics.st"], { cwd });
    for (const [model, data] of [
      ["m.st", "blobs.csv"],
      ["topics.st", "news.csv"],
    ]) {
      const line = `cat ${model} | "${process.execPath}" "${binary}" report /dev/stdin ${data} --out piped.html`;
      execFileSync("sh", ["-c", line], { cwd, stdio: "pipe" });
      expect(findingsOf("piped.html").run.k).toBe(model === "m.st" ? 3 : 2);
    }
  });

  it("names a command that makes the same model again", async () => {
    const [, ...args] = findingsOf("page.html").repeat.command.split(" ");
    expect((await runBonmf([...args, "--out", "again.st"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, "again.st"))).toEqual(readFileSync(join(cwd, "m.st")));
  });

  it("shows rows as pictures where numbered columns make a square", async () => {
    const names = Array.from({ length: 49 }, (_, p) => `pixel_${Math.floor(p / 7)}_${p % 7}`);
    const rows = Array.from({ length: 30 }, (_, i) => names.map((_, p) => (p * (1 + (i % 3)) + i) % 17).join());
    writeFileSync(join(cwd, "digits.csv"), `${[names.join(), ...rows].join("\n")}\n`);
    expect((await runBonmf(["fit", "digits.csv", "--k", "3", "--report", "digits.html"], { cwd })).code).toBe(0);
    expect(findingsOf("digits.html").form).toBe("picture");
  });

  it("shows a passage of each document, with its words marked", async () => {
    expect((await runBonmf(["fit", "news.csv", "--k", "2", "--report", "news.html"], { cwd })).code).toBe(0);
    const { clusters } = findingsOf("news.html");
    const { passage } = clusters[0].typical[0].preview;
    expect(read("news.csv")).toContain(passage.map(({ text }: { text: string }) => text).join(""));
    expect(passage.some(({ marked }: { marked: boolean }) => marked)).toBe(true);
  });

  it("shows rows as pictures where their size is told", async () => {
    expect((await run("m.st", "blobs.csv", "--label", "class", "--size", "3x2", "-o", "small.html")).code).toBe(0);
    expect(findingsOf("small.html")).toMatchObject({ form: "picture", pictures: { width: 3, height: 2 } });
    const { code, stderr } = await run("m.st", "blobs.csv", "--size", "3x3");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "error: --size asks for 9 pixels, but the model has 6 features\n",
    });
  });

  it("calls clusters what it is told, or what the model says", async () => {
    const namesIn = (page: string) => findingsOf(page).clusters.map(({ name }: { name: string }) => name);
    expect((await run("m.st", "blobs.csv", "--names", "left,in the middle,a\\,b", "-o", "named.html")).code).toBe(0);
    expect(namesIn("named.html")).toEqual(["left", "in the middle", "a,b"]);
    const model = loadModel(readFileSync(join(cwd, "m.st")));
    writeFileSync(join(cwd, "named.st"), saveModel(model, { clusterNames: '["x","","z"]' }));
    expect((await run("named.st", "blobs.csv", "-o", "kept.html")).code).toBe(0);
    expect(namesIn("kept.html")).toEqual(["x", null, "z"]);
    expect(await run("m.st", "blobs.csv", "--names", "left,right")).toMatchObject({
      code: 1,
      stderr:
        "error: --names has 2 names, but the model has 3 clusters\nhint: give one for each cluster; write a comma inside a name as \\,\n",
    });
    writeFileSync(join(cwd, "odd.st"), saveModel(model, { clusterNames: "[1,2,3]" }));
    expect((await run("odd.st", "blobs.csv")).stderr).toContain('tag "clusterNames" is damaged');
  });

  it("shows words as words", async () => {
    await runBonmf(["fit", "news.csv", "--text", "text", "--k", "2", "--init", "plusplus", "--out", "n.st"], { cwd });
    expect((await run("n.st", "news.csv", "--label", "class", "-o", "news.html")).code).toBe(0);
    const { form, clusters } = findingsOf("news.html");
    expect(form).toBe("text");
    expect(
      clusters.flatMap(({ distinctive }: { distinctive: { name: string }[] }) => distinctive.map(({ name }) => name)),
    ).toContain("taxes");
  });

  it("compares documents with the label of the fit", async () => {
    const words = ["--text", "text", "--label", "class", "--k", "2", "--init", "plusplus"];
    await runBonmf(["fit", "news.csv", ...words, "--out", "l.st"], { cwd });
    await run("l.st", "news.csv", "-o", "labelled.html");
    expect(findingsOf("labelled.html").agreement.classes).toHaveLength(2);
    await run("l.st", "news.csv", "--no-label", "-o", "labelled.html");
    expect(findingsOf("labelled.html").agreement).toBeNull();
  });

  it("leaves nothing behind when something is wrong", async () => {
    expect((await run("none.st", "blobs.csv")).stderr).toContain("there is no model file none.st");
    expect((await run("m.st", "none.csv", "-o", "never.html")).code).toBe(1);
    expect((await run("m.st", "blobs.csv", "-o", "no/where.html")).stderr).toContain("the folder no does not exist");
    expect(existsSync(join(cwd, "never.html"))).toBe(false);
    expect(readdirSync(cwd).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});

describe("fit --report", () => {
  it("writes the same page as report does", async () => {
    const args = ["fit", "blobs.csv", "--k", "3", "--seed", "4", "--label", "class", "--report", "both.html"];
    const { code, stdout } = await runBonmf(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("report written to both.html");
    expect(read("both.html")).toBe(read("page.html"));
  });

  it("is told at once that the page cannot be written", async () => {
    const { code, stderr } = await runBonmf(["fit", "blobs.csv", "--k", "3", "--report", "no/where.html"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("the folder no does not exist");
  });
});
