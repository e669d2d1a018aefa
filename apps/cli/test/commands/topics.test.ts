import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dense, loadModel, loadTopics, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";
import { CHINESE, CHINESE_FUNCTION, GERMAN, GERMAN_FUNCTION } from "./subjects.js";

const cwd = makeFolder();
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const read = (name: string) => readFileSync(join(cwd, name));
const run = (...args: string[]) => runBonmf(args, { cwd });

interface Printed {
  readonly k: number;
  readonly structure: boolean | null;
  readonly topics: readonly {
    readonly id: number;
    readonly name: string;
    readonly size: number;
    readonly telling: readonly { readonly word: string }[];
  }[];
  readonly scores: { readonly nmi: number } | null;
  readonly overTime: {
    readonly topics: readonly { readonly counts: readonly number[] }[];
    readonly undated: number;
  } | null;
}
const parse = (stdout: string) => JSON.parse(stdout) as Printed;

describe.each([
  ["German", "de", GERMAN, GERMAN_FUNCTION],
  ["Chinese", "zh", CHINESE, CHINESE_FUNCTION],
])("bonmf topics of %s", (_, code, documents, functionWords) => {
  it("finds the subjects, told by no function words", async () => {
    put(`${code}.txt`, `${documents.join("\n")}\n`);
    const { stdout, code: status } = await run("topics", `${code}.txt`, "--k", "3", "--json");
    expect(status).toBe(0);
    const { topics } = parse(stdout);
    expect(topics.map(({ size }) => size)).toEqual([20, 20, 20]);
    const known = new Set(functionWords.split(" "));
    for (const { telling } of topics) {
      const top = telling.slice(0, 10).map(({ word }) => word);
      expect(top.length).toBeGreaterThan(1);
      expect(top.filter((word) => known.has(word))).toEqual([]);
    }
  });
});

describe("bonmf topics", () => {
  const rows = GERMAN.map((text, i) => ({
    text,
    part: ["sport", "law", "health"][i % 3],
    day: `2024-0${1 + (i % 6)}-15`,
  }));
  put("docs.csv", `text,part,day\n${rows.map(({ text, part, day }) => `"${text}",${part},${day}`).join("\n")}\n`);
  put("docs.jsonl", `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  put("numbers.csv", "a,b\n1,2.5\n3,4\n5,1\n");
  const asked = ["--text", "text", "--label", "part", "--time", "day", "--k", "3"];

  it("prints topics, and writes model, assignments, tables and a page", async () => {
    const files = ["--out", "t.st", "--assignments", "a.csv", "--topics", "t.md", "--report", "t.html"];
    const { stdout, stderr, code } = await run("topics", "docs.csv", ...asked, ...files);
    expect(stderr).toContain("the language is German");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +0 +20 +33\.3 % +\d\.\d\d +\w+, \w+, \w+/m);
    expect(stdout).toContain("classes: label accuracy 100.0 %   NMI 1.00");
    expect(stdout).toContain("2024-01 to 2024-06");
    const topics = loadTopics(read("t.st"));
    expect(topics.list).toHaveLength(3);
    expect(loadModel(read("t.st")).tags.clusterNames).toBe(JSON.stringify(topics.list.map(({ name }) => name)));
    const [head, first] = read("a.csv").toString().split("\n");
    expect(head).toBe("text,part,day,cluster,topic,name,cosine,margin,weight_0,weight_1,weight_2");
    const weights = first.split(",").slice(-3).map(Number);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(read("t.md").toString()).toContain("## Documents of each class");
    expect(read("t.html").toString()).toContain("<!doctype html>");
  });

  it.each([
    ["15.0$.2024", "2024-01 to 2024-06"],
    ["15/0$/2024", "2024-01 to 2024-06"],
    ["202$-06-15 10:30", "2021 to 2026"],
    ["Mar 1, 202$", "2021 to 2026"],
    ["202$", "2021 to 2026"],
  ])("reads dates such as %s", async (date, span) => {
    const dated = rows.map(({ text }, i) => `"${text}","${date.replace("$", String(1 + (i % 6)))}"`);
    put("dated.csv", `text,day\n${dated.join("\n")}\n`);
    const { stdout } = await run("topics", "dated.csv", "--text", "text", "--time", "day", "--k", "3");
    expect(stdout).toContain(span);
  });

  it("reads JSON lines, and writes the same topics as JSON and CSV", async () => {
    const csv = await run("topics", "docs.csv", ...asked, "--json");
    const jsonl = await run("topics", "docs.jsonl", ...asked, "--json", "--topics", "t.json");
    expect(parse(jsonl.stdout).topics).toEqual(parse(csv.stdout).topics);
    expect(parse(jsonl.stdout).scores?.nmi).toBe(1);
    expect(parse(jsonl.stdout).overTime?.topics.map(({ counts }) => counts.reduce((a, b) => a + b))).toEqual([
      20, 20, 20,
    ]);
    expect(parse(read("t.json").toString()).topics).toEqual(parse(csv.stdout).topics);
    await run("topics", "docs.csv", ...asked, "--topics", "t.csv");
    expect(read("t.csv").toString().split("\n")).toHaveLength(5);
  });

  it.each([
    ["German", GERMAN],
    ["Chinese", CHINESE],
  ])("finds the same in %s documents that are all given three times, in another order", async (_, documents) => {
    // Words in one document of 19, and in three of 57, are as rare.
    const once = documents.slice(0, 19);
    const others = once.map((__, i) => once[(7 * i) % once.length]);
    put("once.txt", `${once.join("\n")}\n`);
    put("thrice.txt", `${[...others, ...once, ...others].join("\n")}\n`);
    const [one, three] = [
      parse((await run("topics", "once.txt", "--k", "3", "--json")).stdout),
      parse((await run("topics", "thrice.txt", "--k", "3", "--json")).stdout),
    ];
    const told = ({ topics }: Printed) => topics.map(({ id, name, telling }) => ({ id, name, telling }));
    expect(told(three)).toEqual(told(one));
    expect(three.topics.map(({ size }) => size)).toEqual(one.topics.map(({ size }) => 3 * size));
  });

  it("mixes topics by the divergence, and the report says how", async () => {
    const mixed = ["--method", "nmf", "--loss", "kullback-leibler", "--seed", "0"];
    const { stdout } = await run("topics", "docs.csv", ...asked, ...mixed, "--out", "mixed.st", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ method: "nmf", loss: "kullback-leibler" });
    expect(parse(stdout).scores?.nmi).toBe(1);
    expect(loadTopics(read("mixed.st")).model.settings.loss).toBe("kullback-leibler");
    await run("report", "mixed.st", "docs.csv", "--out", "mixed.html");
    expect(read("mixed.html").toString()).toContain("--method nmf --loss kullback-leibler");
    const refused = await run("topics", "docs.csv", ...asked, "--loss", "kullback-leibler");
    expect(refused.stderr).toMatch(/belongs to method "nmf", not "bonmf".*choose it, or omit loss/);
  });

  it("keeps numbers and names of an earlier run", async () => {
    await run("topics", "docs.csv", "--text", "text", "--k", "3", "--out", "old.st");
    put(
      "later.csv",
      `text\n${GERMAN.slice(12)
        .map((text) => `"${text}"`)
        .join("\n")}\n`,
    );
    const { stdout } = await run("topics", "later.csv", "--text", "text", "--previous", "old.st", "--json");
    const old = loadTopics(read("old.st"));
    expect(parse(stdout).topics.map(({ id, name }) => [id, name])).toEqual(old.list.map(({ id, name }) => [id, name]));
  });

  it("predicts new texts with reasons", async () => {
    await run("topics", "docs.csv", "--text", "text", "--k", "3", "--out", "p.st");
    put("new.txt", "Das Tor der Mannschaft\nEin Gesetz über Steuern\nxyz\n");
    const { stdout } = await run("predict", "p.st", "new.txt", "--why");
    const [head, sport, law, none] = stdout.split("\n");
    expect(head).toBe("id,cluster,topic,name,cosine,margin,words,weight_0,weight_1,weight_2");
    expect(sport).toContain("mannschaft");
    expect(law).toMatch(/gesetz|steuern/);
    expect(none).toMatch(/^3,,,,0,0,/);
  });

  it("says how badly documents fit, where it is asked to", async () => {
    const files = ["--out", "o.st", "--assignments", "o.csv"];
    await run("topics", "docs.csv", "--text", "text", "--k", "3", ...files, "--outliers");
    const [head, ...lines] = read("o.csv").toString().trim().split("\n");
    const place = head.split(",").indexOf("outlier");
    expect(head).toContain("margin,outlier,weight_0");
    // Texts have commas: the columns are counted from the end.
    const scores = lines.map((line) => Number(line.split(",").at(place - head.split(",").length)));
    expect(Math.min(...scores)).toBeLessThan(0.2);
    expect(Math.max(...scores)).toBe(1);
    put("odd.txt", `${GERMAN[0]}\nxyz\n`);
    const { stdout } = await run("predict", "o.st", "odd.txt", "--outliers", "--json");
    const [usual, none] = JSON.parse(stdout).predictions;
    expect(usual.outlier).toBeLessThan(1);
    expect(none.outlier).toBe(1);
    await run("fit", "numbers.csv", "--k", "2", "--out", "n.st");
    const refused = await run("predict", "n.st", "numbers.csv", "--outliers");
    expect(refused.stderr).toContain("n.st holds no topics, of which --outliers tells");
    expect((await run("topics", "docs.csv", "--outliers")).stderr).toContain("needs --assignments FILE");
  });

  it("counts stems, which predict, report and the page know again", async () => {
    put("german.txt", GERMAN.join("\n"));
    const written = ["--out", "s.safetensors", "--report", "s.html"];
    const { stdout } = await run("topics", "german.txt", "--k", "3", "--stem", "--json", ...written);
    const words = JSON.parse(stdout).topics.flatMap(({ telling }: { telling: { word: string }[] }) =>
      telling.map(({ word }) => word),
    );
    // Written are Patient and Patienten, senken and Steuern.
    expect(words.filter((word: string) => word.startsWith("patient"))).toHaveLength(1);
    const model = loadTopics(read("s.safetensors"));
    expect(JSON.parse(model.model.tags.recipe).text.stem).toMatchObject({ language: "de" });
    put("later.txt", "Die Patientinnen und den Patienten hilft ein Arzt\nMannschaften schießen Tore in Spielen\n");
    const later = await run("predict", "s.safetensors", "later.txt", "--why");
    const [, medicine, sport] = later.stdout.split("\n");
    expect(medicine).toMatch(/patient/);
    expect(sport).toMatch(/mannschaft/);
    expect(sport).toMatch(/spiel/);
    const page = read("s.html").toString();
    expect(page).toContain("--stem");
    await run("report", "s.safetensors", "german.txt", "--out", "again.html");
    expect(read("again.html").toString()).toContain("bonmf topics german.txt --k");
    expect(read("again.html").toString()).toContain("--stem");
  });

  it("follows seed words", async () => {
    put("seeds.txt", "Medikament Fieber Einhorn\n");
    const { stdout, stderr } = await run(
      "topics",
      "docs.csv",
      "--text",
      "text",
      "--k",
      "3",
      "--seed-words",
      "seeds.txt",
      "--json",
      "--out",
      "guided.st",
    );
    expect(stderr).toContain("note: 1 word of seeds.txt is without effect: no document has Einhorn,");
    await run("report", "guided.st", "docs.csv", "--out", "guided.html");
    const page = read("guided.html").toString();
    expect(page).toContain("--seed-words seeds.txt");
    expect(page).toMatch(/seedWords: \[\[[^\]]*Einhorn/);
    expect(
      parse(stdout)
        .topics[0].telling.slice(0, 10)
        .map(({ word }) => word),
    ).toContain("medikament");
  });

  it("takes counts with a vocabulary", async () => {
    put("counts.svm", "0 1:2 2:1\n0 1:1 2:2\n1 3:1 4:2\n1 3:2 4:1\n");
    put("words.txt", "tea\ncup\ngoal\nteam\n");
    const { stdout } = await run("topics", "counts.svm", "--vocabulary", "words.txt", "--k", "2", "--json");
    expect(
      parse(stdout)
        .topics.map(({ name }) => name)
        .sort(),
    ).toEqual(["cup, tea", "goal, team"]);
    const { stderr } = await run("topics", "counts.svm", "--k", "2");
    expect(stderr).toContain("--vocabulary FILE");
  });

  it("knows the words of counts by their columns, in whatever order the vocabulary has them", async () => {
    put("wide.svm", "0 1:2 2:1 5:1\n0 1:1 2:2 5:1\n0 1:3 5:2\n1 3:1 4:2 5:1\n1 3:2 4:1\n1 4:3 6:1\n");
    put("unsorted.txt", "tea\ncup\ngoal\nteam\nand\nzebra\n");
    const limits = ["--min-docs", "2", "--stop-words", "and.txt"];
    put("and.txt", "and\n");
    const files = ["--assignments", "wide.csv", "--out", "wide.st"];
    const { code } = await run("topics", "wide.svm", "--vocabulary", "unsorted.txt", "--k", "2", ...limits, ...files);
    expect(code).toBe(0);
    expect(loadTopics(read("wide.st")).words).toEqual(["cup", "goal", "tea", "team"]);
    const { stdout } = await run("predict", "wide.st", "wide.svm");
    expect(stdout.trim()).toBe(read("wide.csv").toString().trim());
    const topicOf = stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[2]);
    expect(topicOf).toEqual(["0", "0", "0", "1", "1", "1"]);
  });

  it.each([
    [["--stem"], /--stem is for texts, but counts.svm holds counts/],
    [["--min-docs", "9"], /counts.svm: none of the 4 words .*lower --min-docs/],
    [["--vocabulary", "one.txt"], /--vocabulary has 1 words?, but the samples have 4 features/],
  ])("says what is wrong with %j of counts", async (flags, message) => {
    put("one.txt", "tea\n");
    const { code, stderr } = await run("topics", "counts.svm", "--vocabulary", "words.txt", "--k", "2", ...flags);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it.each([
    [["--time", "dya"], /has no column "dya" for --time/],
    [["--min-docs", "999"], /docs.csv: none of the .*lower --min-docs/],
    [["--k", "999"], /only \d+ different documents/],
  ])("says what is wrong with %j", async (flags, message) => {
    const { code, stderr } = await run("topics", "docs.csv", "--text", "text", "--k", "3", ...flags);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  describe("with vectors", () => {
    const vectors = GERMAN.map((_, i) => [0, 1, 2].map((f) => (i % 3 === f ? 1 : -0.2) + (i % 5) / 50));
    const jsonl = (list: readonly unknown[]) =>
      `${rows.map((row, i) => JSON.stringify({ ...row, embedding: list[i] })).join("\n")}\n`;
    put("vectors.jsonl", jsonl(vectors));
    put("vectors.csv", `x,y,z\n${vectors.map((vector) => vector.join(",")).join("\n")}\n`);
    put("few.csv", "x,y,z\n1,2,3\n4,5,6\n");
    put("gap.csv", `x,y,z\n${vectors.map((vector, i) => (i === 4 ? "1,,2" : vector.join(","))).join("\n")}\n`);
    put("one.csv", `x\n${vectors.map(([x]) => x).join("\n")}\n`);
    put("ragged.jsonl", jsonl(vectors.map((vector, i) => (i === 7 ? [1, 2] : vector))));
    writeFileSync(join(cwd, "vectors.npy"), writeNpy(Dense.from(vectors)));
    const from = (file: string, name: string) =>
      run("topics", file, "--text", "text", "--k", "3", "--vectors", name, "--json");

    it("of a column, a table or an array are the same", async () => {
      const column = await from("vectors.jsonl", "embedding");
      expect(column.stderr).not.toContain("error");
      const { topics } = parse(column.stdout);
      expect(topics.map(({ size }) => size)).toEqual([20, 20, 20]);
      for (const name of ["vectors.csv", "vectors.npy"]) {
        expect(parse((await from("docs.csv", name)).stdout).topics).toEqual(topics);
      }
    });

    it("are in the model, so that new texts are predicted with theirs alone", async () => {
      const results = ["--out", "v.st", "--assignments", "v.csv", "--report", "v.html"];
      const { code } = await run("topics", "vectors.jsonl", ...asked, "--vectors", "embedding", ...results);
      expect(code).toBe(0);
      expect(read("v.html").toString()).toContain("--vectors embedding");
      const columns = ["--columns", "part"];
      // The model knows the column.
      await run("predict", "v.st", "vectors.jsonl", ...columns, "--out", "again.csv");
      const cut = (name: string) =>
        read(name)
          .toString()
          .split("\n")
          .map((line) => line.split(",").slice(-8).join());
      expect(cut("again.csv")).toEqual(cut("v.csv"));
      put("two.txt", "Das Tor der Mannschaft\nEin Gesetz über Steuern\n");
      put("two.csv", "x,y,z\n1,0,0\n0,1,0\n");
      const topics = loadTopics(read("v.st"), undefined);
      const { stdout } = await run("predict", "v.st", "two.txt", "--vectors", "two.csv", "--why");
      const told = stdout.split("\n").slice(1, 3);
      expect(told.map((line) => Number(line.split(",")[2]))).toEqual([topics.labels[0], topics.labels[1]]);
      expect(told[0]).toContain("mannschaft");
      const report = await run("report", "v.st", "vectors.jsonl", "-o", "again.html", "--json");
      expect(JSON.parse(report.stdout)).toMatchObject({ k: 3, samples: 60 });
      const again = read("again.html").toString();
      expect(again).toContain("bonmf topics vectors.jsonl --k 3 --seed 0 --method spherical --vectors embedding");
      expect(again).not.toContain("bonmf fit vectors.jsonl");
    });

    it.each([
      [["docs.csv", "few.csv"], "few.csv has 2 vectors, but docs.csv has 60 documents"],
      [["docs.csv", "gap.csv"], "gap.csv, line 6"],
      [["docs.csv", "one.csv"], "which is no vector"],
      [["docs.csv", "none.npy"], "there is no such file"],
      [["docs.csv", "part"], 'column "part" is not numeric'],
      [["vectors.jsonl", "embeding"], "did you mean embedding?"],
      [["ragged.jsonl", "embedding"], "ragged.jsonl, line 8"],
    ])("explains %j", async ([file, name], message) => {
      const { code, stderr } = await from(file, name);
      expect(code).not.toBe(0);
      expect(stderr).toContain(message);
    });

    it("explains what predict needs", async () => {
      await run("topics", "docs.csv", "--text", "text", "--k", "3", "--vectors", "vectors.csv", "--out", "f.st");
      const { stderr } = await run("predict", "f.st", "docs.csv");
      expect(stderr).toContain("the topics of f.st were found on vectors");
      await run("topics", "docs.csv", "--text", "text", "--k", "3", "--out", "w.st");
      expect((await run("predict", "w.st", "docs.csv", "--vectors", "vectors.csv")).stderr).toContain("omit --vectors");
    });
  });

  it("says when there are no topics", async () => {
    const words = "abend bild chor dorf eimer fahne glas hafen insel jacke kabel lampe".split(" ");
    let state = 1;
    const draw = () => {
      state = (state * 48271) % 2147483647;
      return words[state % words.length];
    };
    put("noise.txt", `${Array.from({ length: 120 }, () => Array.from({ length: 12 }, draw).join(" ")).join("\n")}\n`);
    const { stdout, code } = await run("topics", "noise.txt", "--max-share", "1", "--stop-words", "none");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No topics(:| can be told)/);
  });

  it.each([
    [["topics", "numbers.csv", "--k", "2"], "--text COLUMN"],
    [["topics", "docs.csv", "--text", "text", "--topics", "x.pdf"], ".csv, .json or .md"],
    [
      ["topics", "docs.csv", "--text", "text", "--k", "2", "--time", "part"],
      'row 1, column "part" is "sport", which is no date',
    ],
    [["topics", "de.txt", "--k", "2", "--time", "day"], "is no table"],
    [["topics", "de.txt", "--k", "2", "--vectors", "embedding"], "de.txt is no table"],
    [["topics", "docs.csv", "--text", "text", "--k", "2", "--seed-words", "none.txt"], "there is no such file"],
  ])("explains %j", async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
