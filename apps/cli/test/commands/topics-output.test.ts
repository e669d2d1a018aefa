import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

const cwd = makeFolder();
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const read = (name: string) => readFileSync(join(cwd, name), "utf8");
const run = (...args: string[]) => runBonmf(args, { cwd });

const NEWS = [
  "the striker scored twice and the team won the *match*",
  "the keeper saved the match for the home team",
  "a late goal won the match for the team",
  "the minister promised lower taxes before the election",
  "voters doubt the taxes of the minister",
  "the election will decide on taxes",
];
put("news.txt", `${NEWS.join("\n")}\n`);

it("shows typical documents in Markdown, with their words marked", async () => {
  await run("topics", "news.txt", "--k", "2", "--topics", "t.md");
  const [, typical] = read("t.md").split("## Typical documents");
  expect(typical).toMatch(/^### 0 match/m);
  expect(typical).toMatch(/^- \S+: the \*\*striker\*\* .*\\\*\*\*match\*\*\\\*$/m);
  expect(typical.match(/^- /gm)).toHaveLength(6);
});

it.each([
  ["a year", "year,text", (text: string, i: number) => `${2000 + i},"${text}"`],
  [
    "titles of three words",
    "title,price",
    (text: string, i: number) => `${text.split(" ").slice(-3).join(" ")},${i}.5`,
  ],
  [
    "Chinese texts",
    "评论,星",
    (_: string, i: number) => `${i < 3 ? "酒店的房间很干净也很大" : "这场比赛的教练很努力"}${i},${i}`,
  ],
])("finds the column of the texts beside %s", async (_, head, row) => {
  put("table.csv", `${head}\n${NEWS.map(row).join("\n")}\n`);
  const { code, stderr } = await run("topics", "table.csv", "--k", "2", "--out", "table.st");
  expect(stderr).toMatch(/the words of "(text|title|评论)" are the features/);
  expect(code).toBe(0);
  expect((await run("predict", "table.st", "table.csv")).code).toBe(0);
});

it("shows what vectors bring, beside words alone and vectors alone", async () => {
  const near = (i: number) => (i < 3 ? [2 + i / 10, 0.1] : [0.1, 2 + i / 10]);
  const rows = NEWS.map((text, i) => JSON.stringify({ text, part: i < 3 ? "sport" : "law", vector: near(i) }));
  put("vectors.jsonl", `${rows.join("\n")}\n`);
  const asked = ["topics", "vectors.jsonl", "--label", "part", "--k", "2"];
  const { stdout } = await run(...asked, "--vectors", "vector");
  expect(stdout).toMatch(/^compared by +NPMI +C_V +NMI\nwords .*\nvectors .* 1\.00\nboth .* 1\.00$/m);
  const alone = await run(...asked, "--vectors", "vector", "--vector-weight", "1", "--json");
  const { gain } = JSON.parse(alone.stdout) as { gain: { by: string; nmi: number }[] };
  expect(gain.map(({ by }) => by)).toEqual(["words", "vectors"]);
  const words = await run(...asked, "--json");
  expect(JSON.parse(words.stdout).gain).toBeNull();
  expect(gain[0].nmi).toBe(JSON.parse(words.stdout).scores.nmi);
});

it("leaves out words beside those of the language, or in place of them", async () => {
  put("more.txt", "match Taxes\n");
  const wordsOf = async (value: string) => {
    const { stdout } = await run("topics", "news.txt", "--k", "2", "--stop-words", value, "--json");
    const { topics } = JSON.parse(stdout) as { topics: { likely: { word: string }[] }[] };
    return topics.flatMap(({ likely }) => likely.map(({ word }) => word));
  };
  const beside = await wordsOf("+more.txt");
  expect(beside).toContain("minister");
  for (const word of ["match", "taxes", "for", "before"]) expect(beside).not.toContain(word);
  const instead = await wordsOf("more.txt");
  expect(instead).toContain("for");
  expect(instead).not.toContain("match");
});

it("counts documents and topics in what it says, not samples and clusters", async () => {
  const { stdout } = await run("topics", "news.txt");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "No topics can be told from 6 different documents: they are too few",
  );
  await run("topics", "news.txt", "--k", "2", "--out", "t.st");
  put("new.txt", "a goal for the team\nnothing\nmore taxes\n");
  const { stderr } = await run("predict", "t.st", "new.txt", "--why");
  expect(stderr).toContain("2 documents in 2 topics, 1 in no topic");
  expect(stderr).toContain("1 of 3 documents holds none of the");
});

it("refuses more topics than there are different documents with words", async () => {
  put("two.txt", "match\ntaxes\n");
  put("spare.txt", `${NEWS.join("\n")}\nnothing of it\n`);
  const spare = await run("topics", "spare.txt", "--k", "3", "--vocabulary", "two.txt");
  expect(spare.code).not.toBe(0);
  expect(spare.stderr).toContain("there are only 2 different documents with words");
});

it.each([
  [["topics", "blank.txt", "--k", "2"], "blank.txt has no values"],
  [["topics", "news.txt", "--k", "2", "--ngrams", "2-3"], "begins with 1"],
  [["topics", "news.txt", "--k", "2", "--stop-words", "+none.txt"], "--stop-words none.txt: there is no such file"],
])("explains %j", async (args, message) => {
  put("blank.txt", "\n\n\n");
  const { code, stderr } = await run(...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});

it("has documents without words in no cluster, as in no topic", async () => {
  put(
    "classes.csv",
    `text,class\n${NEWS.map((text, i) => `"${text}",${i < 3 ? "sport" : "politics"}\n`).join("")}"of it",sport\n`,
  );
  await run(
    "topics",
    "classes.csv",
    "--text",
    "text",
    "--label",
    "class",
    "--k",
    "2",
    "--out",
    "e.st",
    "--assignments",
    "e.csv",
  );
  expect(read("e.csv")).toMatch(/^of it,sport,,,,/m);
  expect(read("e.csv").match(/,(sport|politics),[01],[01],/g)).toHaveLength(6);
  const { stdout } = await run("inspect", "e.st");
  expect(stdout).toMatch(/^empty +1 document in no topic$/m);
  expect(stdout).toMatch(/^ +0 +3 +42\.9 %/m);
  const { clusters } = JSON.parse((await run("inspect", "e.st", "--json")).stdout);
  expect(clusters.map(({ size }: { size: number }) => size)).toEqual([3, 3]);
  for (const file of [["--out", "p.csv"], ["--out", "p.csv", "--columns", "none"], []]) {
    const answer = JSON.parse(
      (await run("predict", "e.st", "classes.csv", "--label", "class", ...file, "--json")).stdout,
    );
    expect(answer).toMatchObject({ counts: [3, 3], samples: 7, labelAccuracy: 1 });
    if (file.length === 0) expect(answer.predictions[6].cluster).toBeNull();
  }
  expect(read("p.csv").trimEnd().split("\n").at(-1)).toMatch(/^6,(,|$)/);
});
