import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fit, loadClassifier, loadModel, saveModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { HOSTILE_NAMES } from "../../../packages/data/test/fixtures/hostile-names.js";
import { type Ended, makeFolder, runBonmf } from "./binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);

/** Names that a text file can hold and SQL can write. */
const { nul, empty, surrogate, ...writable } = HOSTILE_NAMES;
const names = Object.values(writable);
const { missing, null: none, nan } = HOSTILE_NAMES;
/** Texts that mean a missing value have tests of their own. */
const present = names.filter((name) => ![missing, none, nan].includes(name));
/** As CSV has them: without spaces around. */
const trimmed = present.map((name) => name.trim()).filter((name) => name !== "");

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;

/** Done, or an error that the user can correct; either way a terminal that was not touched. */
function expectCalm({ code, stdout, stderr }: Ended, wanted = 0): void {
  expect(stderr).not.toContain("a bug in bonmf");
  expect(code, stderr).toBe(wanted);
  expect(stdout).not.toMatch(CONTROL);
  expect(stderr).not.toMatch(CONTROL);
  const lines = `${stdout.startsWith("{") ? "" : stdout}\n${stderr}`.split("\n");
  for (const line of lines) expect(line.length).toBeLessThan(4200);
}

async function run(...args: string[]): Promise<Ended> {
  const ended = await runBonmf(args, { cwd });
  expectCalm(ended);
  return ended;
}

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
const value = (i: number, c: number) => ((i + c) % 2 === 0 ? 5 : 0) + ((i * 7 + c * 3) % 10) / 10;
const ROWS = Array.from({ length: 12 }, (_, i) => i);
const toCsv = (columns: readonly string[], cell: (i: number, c: number) => unknown) =>
  [columns.map(quote).join(","), ...ROWS.map((i) => columns.map((_, c) => cell(i, c)).join(","))].join("\n");
const toLines = (columns: readonly string[]) =>
  ROWS.map((i) => `{${columns.map((name, c) => `${JSON.stringify(name)}:${value(i, c)}`).join(",")}}`).join("\n");

function featuresOf(model: string): readonly string[] {
  return loadModel(readFileSync(at(model))).featureNames!;
}

const FIT = ["--k", "2", "--restarts", "1", "--scale", "none"];

describe("as columns", () => {
  writeFileSync(at("columns.csv"), toCsv(trimmed, value));
  writeFileSync(at("columns.jsonl"), toLines(names));
  // The same with gaps, and as categories: other paths of the reader.
  writeFileSync(
    at("gaps.csv"),
    toCsv(trimmed, (i, c) => (i % 5 === 1 ? "" : value(i, c))),
  );
  writeFileSync(
    at("kinds.csv"),
    toCsv(trimmed, (i, c) => ((i + c) % 3 === 0 ? "u" : "v")),
  );

  it("they arrive in the model as they are written", async () => {
    await run("fit", "columns.csv", ...FIT, "--out", "csv.st", "--assignments", "csv.parquet");
    expect(featuresOf("csv.st")).toEqual(trimmed);
    await run("fit", "columns.jsonl", ...FIT, "--out", "jsonl.st");
    expect(featuresOf("jsonl.st")).toEqual(names);
    await run("inspect", "jsonl.st", "--top", "200");
    expect(JSON.parse((await run("inspect", "csv.st", "--json")).stdout).recipe.kind).toBe("csv");
    await run("report", "jsonl.st", "columns.jsonl", "--out", "report.html");
  });

  it.each(["csv", "jsonl", "parquet", "arrow"])("and go through %s and back", async (ending) => {
    await run("convert", "columns.jsonl", `copy.${ending}`);
    await run("fit", `copy.${ending}`, ...FIT, "--out", "copy.st");
    if (ending === "csv") expect(featuresOf("copy.st")).toEqual(expect.arrayContaining(trimmed));
    else expect(featuresOf("copy.st")).toEqual(names);
    await run("predict", "jsonl.st", "columns.jsonl", "--out", `predicted.${ending}`);
  });

  it("and arrive from ARFF, and from disk", async () => {
    const lines = names.filter((name) => !/[\r\n]/.test(name));
    const quoted = lines.map((name) => `'${name.replace(/[\\']/g, "\\$&")}'`);
    const rows = ROWS.map((i) => lines.map((_, c) => value(i, c)).join(","));
    const head = ["@relation r", ...quoted.map((name) => `@attribute ${name} numeric`), "@data"];
    writeFileSync(at("columns.arff"), [...head, ...rows].join("\n"));
    await run("fit", "columns.arff", ...FIT, "--out", "arff.st");
    expect(featuresOf("arff.st")).toEqual(lines);
    const surroundings = { cwd, env: { XDG_CACHE_HOME: at("cache") } };
    expectCalm(await runBonmf(["fit", "columns.jsonl", ...FIT, "--memory", "2GB", "--out", "disk.st"], surroundings));
    expect(featuresOf("disk.st")).toEqual(names);
    expectCalm(await runBonmf(["cache"], surroundings));
  });

  it("and through choose, compare and classify", async () => {
    await run(
      "choose",
      "columns.jsonl",
      "--k",
      "2-3",
      "--restarts",
      "1",
      "--out",
      "chosen.st",
      "--report",
      "chosen.html",
    );
    expect(featuresOf("chosen.st")).toEqual(names);
    await run("compare", "columns.jsonl", "--k", "2", "--methods", "bonmf,kmeans");
    const rows = toLines(names).split("\n");
    const classes = rows.map((row, i) => row.replace(/\}$/, `,"of two":"${i % 2}"}`));
    writeFileSync(at("labelled.jsonl"), classes.join("\n"));
    const classify = ["classify", "labelled.jsonl", "--label", "of two", "--scheme", "majority", "--k", "2"];
    await run(...classify, "--out", "labelled.st");
    const { model } = await loadClassifier(readFileSync(at("labelled.st")));
    expect(model.featureNames).toEqual(names);
    await run("predict", "labelled.st", "labelled.jsonl", "--why", "--out", "labelled.csv");
  });

  it("with missing values and as categories", async () => {
    await run("fit", "gaps.csv", ...FIT, "--out", "gaps.st");
    await run("predict", "gaps.st", "gaps.csv", "--out", "gaps.out.csv");
    await run("fit", "kinds.csv", ...FIT, "--no-label", "--out", "kinds.st");
    expect(new Set(featuresOf("kinds.st"))).toContain("__proto__=u");
    await run("predict", "kinds.st", "kinds.csv", "--out", "kinds.out.csv");
  });

  it.each(["__proto__", "constructor", "toString", "a\nb", 'x"; DROP TABLE rows; --'])(
    "%j can be the label, the id, the weight or left out",
    async (name) => {
      await run("fit", "columns.jsonl", ...FIT, `--label=${name}`, "--out", "label.st");
      expect(featuresOf("label.st")).toEqual(names.filter((other) => other !== name));
      await run("fit", "columns.jsonl", ...FIT, `--id=${name}`);
      await run("fit", "columns.jsonl", ...FIT, `--exclude=${name.replaceAll(",", "\\,")}`);
      const { stderr } = await runBonmf(["fit", "gaps.csv", ...FIT, `--label=${name}x`], { cwd });
      expect(stderr).toMatch(/^error: gaps\.csv has no column /);
    },
  );

  it("a name with a zero character is refused with its place", async () => {
    writeFileSync(at("nul.csv"), toCsv(["a", nul], value));
    writeFileSync(at("nul.jsonl"), toLines(["a", nul]));
    for (const file of ["nul.csv", "nul.jsonl"]) {
      const ended = await runBonmf(["fit", file, ...FIT], { cwd });
      expectCalm(ended, 1);
      expect(ended.stderr).toContain(`error: ${file}: the name of column 2, "a\\u0000b", has a zero character`);
    }
  });

  it("a name that means a missing value, or begins with a byte order mark, is a name", async () => {
    writeFileSync(at("missing.csv"), toCsv(["a", missing, none], value));
    await run("fit", "missing.csv", ...FIT, "--out", "missing.st");
    expect(featuresOf("missing.st")).toEqual(["a", missing, none]);
    writeFileSync(at("mark.jsonl"), toLines(["a", "\ufeffb"]));
    await run("fit", "mark.jsonl", ...FIT, "--out", "mark.st");
    expect(featuresOf("mark.st")).toEqual(["a", "\ufeffb"]);
  });

  it("a column without a name is called by its place", async () => {
    writeFileSync(at("empty.csv"), toCsv(["a", empty, "b"], value));
    await run("fit", "empty.csv", ...FIT, "--out", "empty.st");
    expect(featuresOf("empty.st")).toEqual(["a", "column1", "b"]);
  });
});

describe("as classes and ids", () => {
  const rows = present.flatMap((name, r) =>
    [0, 1].map((d) => ({ a: value(r, d), b: value(r, 1 - d), k: name, i: name })),
  );
  writeFileSync(at("classes.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const roles = ["--label", "k", "--id", "i"];

  it("they arrive in the classifier and in its predictions", async () => {
    await run("classify", "classes.jsonl", ...roles, "--scheme", "nearest", "--folds", "2", "--out", "classes.st");
    const { classes: known } = await loadClassifier(readFileSync(at("classes.st")));
    expect(new Set(known)).toEqual(new Set(present));
    await run("inspect", "classes.st");
    await run("predict", "classes.st", "classes.jsonl", "--id", "i", "--columns", "none", "--out", "classes.out.jsonl");
    const lines = readFileSync(at("classes.out.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(rows.map(({ i }) => i));
    const { stdout } = await run("predict", "classes.st", "classes.jsonl", "--id", "i", "--json");
    expect(JSON.parse(stdout).predictions.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ i }) => i));
  });

  it("and through fit, choose, compare and report", async () => {
    await run(
      "fit",
      "classes.jsonl",
      ...FIT,
      ...roles,
      "--out",
      "fit.st",
      "--assignments",
      "a.csv",
      "--report",
      "a.html",
    );
    await run("choose", "classes.jsonl", "--k", "2-3", "--restarts", "1", ...roles);
    await run("compare", "classes.jsonl", "--k", "2", "--methods", "bonmf,kmeans", ...roles);
    await run("fit", "classes.jsonl", ...FIT, "--one-hot", "k", "--id", "i", "--out", "kinds.st");
    expect(featuresOf("kinds.st")).toContain("k=__proto__");
    await run("predict", "kinds.st", "classes.jsonl", "--id", "i", "--out", "kinds.csv");
  });
});

describe("in files for spreadsheets", () => {
  const [formula, option] = ["=1+1", "--spreadsheet-safe"];
  const row = { a: -1, b: 2, k: "@x", i: formula, [formula]: 3 };
  writeFileSync(
    at("formulas.jsonl"),
    [row, { ...row, a: 5, b: 7, k: "y", [formula]: 9 }].map((one) => JSON.stringify(one)).join("\n"),
  );

  it("formulas are defused on request, in every CSV and TSV, and numbers stay", async () => {
    const fitted = ["fit", "formulas.jsonl", ...FIT, "--label", "k", "--id", "i", "--method", "kmeans"];
    await run(...fitted, "--out", "f.st", "--assignments", "f.csv", "--prototypes", "p.csv", option);
    expect(readFileSync(at("f.csv"), "utf8")).toMatch(/^a,b,k,i,'=1\+1,cluster,.*\n-1,2,'@x,'=1\+1,3,/);
    expect(readFileSync(at("p.csv"), "utf8")).toMatch(/^cluster,size,a,b,'=1\+1\n/);
    const { stdout } = await run("predict", "f.st", "formulas.jsonl", "--columns", "none", option);
    expect(stdout).toMatch(/\n'=1\+1,/);
    await run("convert", "formulas.jsonl", "f.tsv", "--label", "k", "--id", "i", option);
    expect(readFileSync(at("f.tsv"), "utf8")).toMatch(/'=1\+1\t.*\n.*-1\t.*'@x/);
    await run("predict", "f.st", "formulas.jsonl", "--out", "f.jsonl", option);
    expect(readFileSync(at("f.jsonl"), "utf8")).toContain('"k":"@x"');
  });

  it("and are written as they are otherwise", async () => {
    await run("predict", "f.st", "formulas.jsonl", "--out", "f.csv");
    expect(readFileSync(at("f.csv"), "utf8")).toMatch(/\n-1,2,@x,=1\+1,3,/);
  });
});

describe("as file names", () => {
  const files = names.filter((name) => !name.includes("/") && name.length < 200);

  it("they are escaped in messages", async () => {
    for (const name of files) expectCalm(await runBonmf(["inspect", `./${name}`], { cwd }), 1);
  });

  it.each(["__proto__", "a\nb", "\x1b[2J\x1b[Ha", "*?[a]{b}", "a'b''c", "%s%n%d", "$&$1$`$'$$"])(
    "%j is read and written",
    async (name) => {
      mkdirSync(at("files"), { recursive: true });
      writeFileSync(at(`files/${name}.csv`), "a,b\n1,9\n9,1\n2,9\n9,2\n");
      await run("fit", `files/${name}.csv`, ...FIT, "--out", `files/${name}.st`);
      expect(loadModel(readFileSync(at(`files/${name}.st`))).tags.source).toContain(name);
      await run("inspect", `files/${name}.st`);
      await run("convert", `files/${name}.csv`, `files/${name}.parquet`);
    },
  );

  it.each(["__proto__", "a\nb", "\x1b[2J\x1b[Ha"])("%j goes through the other commands", async (name) => {
    const [csv, model, out] = ["csv", "st", "out.csv"].map((ending) => `others/${name}.${ending}`);
    mkdirSync(at("others"), { recursive: true });
    writeFileSync(
      at(csv),
      toCsv(["a", "b", "k"], (i, c) => (c === 2 ? `c${i % 2}` : value(i, c))),
    );
    await run("classify", csv, "--label", "k", "--scheme", "majority", "--k", "2", "--out", model);
    await run("predict", model, csv, "--label", "k", "--out", out);
    expect(readFileSync(at(out), "utf8")).toMatch(/^a,b,k,/);
    await run("choose", csv, "--label", "k", "--k", "2-3", "--restarts", "1");
    await run("compare", csv, "--label", "k", "--k", "2", "--methods", "bonmf,kmeans");
    await run(
      "report",
      model,
      csv,
      "--label",
      "k",
      "--names",
      `${name.replaceAll(",", "\\,")},other`,
      "-o",
      `${out}.html`,
    );
    expect(readFileSync(at(`${out}.html`), "utf8")).toContain("</html>");
  });
});

describe("in model files", () => {
  const X = [
    [5, 0],
    [0, 5],
  ];

  it.each(Object.keys(HOSTILE_NAMES))("a cluster, a tag and a feature called by %s", async (key) => {
    const name = HOSTILE_NAMES[key];
    const tags = { source: name, [`own ${name}`]: name, clusterNames: JSON.stringify([name, ""]) };
    const model = await fit(X, { k: 2, featureNames: [name, `${name}2`], tags });
    writeFileSync(at("hostile.st"), saveModel(model));
    expect(loadModel(readFileSync(at("hostile.st"))).featureNames).toEqual([name, `${name}2`]);
    await run("inspect", "hostile.st");
    expect(JSON.parse((await run("inspect", "hostile.st", "--json")).stdout).source).toBe(name);
  });

  it("a version is escaped", async () => {
    const bytes = Buffer.from(saveModel(await fit(X, { k: 2 })));
    const end = 8 + Number(bytes.readBigUInt64LE(0));
    const header = JSON.parse(bytes.toString("utf8", 8, end));
    const fields = JSON.parse(header.__metadata__.model);
    header.__metadata__.model = JSON.stringify({ ...fields, version: "\x1b[2J1\nerror: none" });
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    const padded = Buffer.alloc(Math.ceil(text.length / 8) * 8, " ");
    text.copy(padded);
    length.writeBigUInt64LE(BigInt(padded.length));
    writeFileSync(at("version.st"), Buffer.concat([length, padded, bytes.subarray(end)]));
    const { stdout } = await run("inspect", "version.st");
    expect(stdout).toContain("model of bonmf \\u001b[2J1\\nerror: none,");
  });

  it.each([
    "null",
    "[]",
    '"csv"',
    '{"kind":"constructor"}',
    '{"kind":"\\u001b[2J"}',
    '{"kind":"csv","categories":[]}',
    '{"kind":"csv","categories":{"__proto__":1}}',
    '{"kind":"csv","fills":{"constructor":{}}}',
    '{"kind":"csv","label":{}}',
    '{"kind":"csv","text":{}}',
    '{"__proto__":{"kind":"csv"}}',
  ])("a recipe %s is refused", async (recipe) => {
    const model = await fit(X, { k: 2, featureNames: ["a", "b"], tags: { recipe } });
    writeFileSync(at("recipe.st"), saveModel(model));
    writeFileSync(at("recipe.csv"), "a,b\n1,2\n");
    for (const args of [
      ["predict", "recipe.st", "recipe.csv"],
      ["inspect", "recipe.st"],
    ]) {
      const ended = await runBonmf(args, { cwd });
      expectCalm(ended, 1);
      expect(ended.stderr).toContain('the model\'s tag "recipe"');
    }
  });
});

it("as options, they are values or unknown", async () => {
  for (const name of ["__proto__", "constructor", "\x1b[2J"]) {
    for (const args of [
      [name],
      ["help", name],
      ["datasets", name],
      ["cache", name],
      ["completion", name],
      ["fit", `--${name}`],
    ]) {
      expectCalm(await runBonmf(args, { cwd }), 1);
    }
    for (const option of ["method", "scale", "init", "missing"]) {
      expectCalm(await runBonmf(["fit", "columns.csv", ...FIT, `--${option}=${name}`], { cwd }), 1);
    }
  }
});

it("a lone half of a character stays in a model file", async () => {
  const model = await fit(
    [
      [5, 0],
      [0, 5],
    ],
    { k: 2, featureNames: [surrogate, "b"] },
  );
  expect(loadModel(saveModel(model)).featureNames).toEqual([surrogate, "b"]);
});
