import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("No topics can be told from 6 different documents: that is too few");
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

describe("a folder", () => {
  const page = (text: string) =>
    `<html><head><style>p { color: red }</style></head><body><!-- note --><p class="lead">${text} Caf&eacute;</p></body></html>`;

  it("of texts, Markdown and pages is read as documents, without what nobody reads of a page", async () => {
    mkdirSync(join(cwd, "notes"));
    NEWS.forEach((text, i) => {
      const name = `notes/${i}.${["txt", "md", "html"][i % 3]}`;
      put(name, i % 3 === 2 ? page(text) : text);
    });
    const { stdout, stderr } = await run("topics", "notes", "--k", "2", "--json", "--out", "notes.st");
    expect(stderr).not.toContain("passed over");
    const { documents, topics } = JSON.parse(stdout);
    expect(documents).toBe(6);
    const words = topics.flatMap(({ telling }: { telling: { word: string }[] }) => telling.map(({ word }) => word));
    expect(words).toEqual(expect.arrayContaining(["match", "taxes", "café"]));
    for (const word of ["color", "lead", "class", "note", "body"]) expect(words).not.toContain(word);
    expect(JSON.parse((await run("predict", "notes.st", "notes", "--json")).stdout).samples).toBe(6);
  });

  it("of data with a page about them is read as data, as before", async () => {
    mkdirSync(join(cwd, "shop"));
    put("shop/a.csv", "text,price\nan old boat,3\na new boat,4\n");
    put("shop/about.html", page("about"));
    expect((await run("topics", "shop", "--k", "1")).stderr).toContain("only files of one kind are read together");
  });
});

describe("what is written of a model of topics", () => {
  it("speaks of documents and topics", async () => {
    await run("topics", "news.txt", "--k", "2", "--out", "told.st");
    const { stdout } = await run("inspect", "told.st");
    expect(stdout).toMatch(/^told\.st {2}topics of bonmf /);
    expect(stdout).toMatch(/^read +6 documents, \d+ words$/m);
    expect(stdout).toMatch(/^topic +size +share +name +telling words$/m);
    expect(stdout).toMatch(/^ +0 +3 +50\.0 % +match, /m);
    expect((await run("report", "told.st", "news.txt", "-o", "told.html")).stdout).toMatch(
      /^6 documents in 2 topics: /,
    );
    put("other.txt", "nothing of this\nnor of that\n");
    expect(
      (await run("predict", "told.st", "other.txt", "--out", "other.csv")).stdout +
        (await run("predict", "told.st", "other.txt")).stderr,
    ).toContain("2 documents in no topic");
  });

  it.each([
    ["inspect", "news.txt"],
    ["predict", "news.txt", "news.txt"],
    ["report", "news.txt", "news.txt"],
    ["topics", "news.txt", "--k", "2", "--previous", "news.txt"],
  ])("is not %s of other files", async (...args) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: news\.txt is not a model file$/m);
  });
});
