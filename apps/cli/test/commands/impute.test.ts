import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dense, readNpy, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

const folder = makeFolder();
const path = (name: string) => join(folder, name);
const run = (...args: string[]) => runBonmf(args, { cwd: folder });
const read = (name: string) => readFileSync(path(name), "utf8");

/** 40 rows of rank 2; every seventh number is missing. */
const valueAt = (i: number, f: number) => (1 + (i % 5)) * (1 + f) + (1 + (i % 3)) * (4 - f);
const isGap = (i: number, f: number) => (4 * i + f) % 7 === 0;
const numbers = Array.from({ length: 40 }, (_, i) => [0, 1, 2, 3].map((f) => valueAt(i, f)));
const lineOf = (row: number[], i: number) =>
  [`"row ${i}, ""x"""`, ...row.map((x, f) => (isGap(i, f) ? ["", "NA"][i % 2] : `${x}.50`)), i % 2 ? "" : "note"].join(
    ",",
  );
const head = "name,a,b,c d,e,remark";
const csv = [head, ...numbers.map(lineOf)].join("\r\n");
writeFileSync(path("gaps.csv"), `${csv}\r\n`);
const FEATURES = ["--features", "a,b,c d,e", "--id", "name"];

describe("bonmf impute", () => {
  it("fills the gaps of a CSV file, and leaves every other byte", async () => {
    const { code, stdout } = await run("impute", "gaps.csv", "--out", "whole.csv", "--k", "2", ...FEATURES);
    expect(code).toBe(0);
    const gaps = numbers.flatMap((row, i) => row.filter((_, f) => isGap(i, f))).length;
    expect(stdout).toBe(`${gaps} missing values of 40 samples × 4 filled by hals with k = 2\nwritten to whole.csv\n`);
    const [header, ...lines] = read("whole.csv").split("\r\n");
    expect(header).toBe(head);
    expect(lines.pop()).toBe("");
    lines.forEach((line, i) => {
      const cells = line.slice(line.indexOf('",') + 2).split(",");
      expect(line.startsWith(`"row ${i}, ""x""",`)).toBe(true);
      numbers[i].forEach((x, f) => {
        if (isGap(i, f)) expect(Math.abs(Number(cells[f]) - x - 0.5)).toBeLessThan(1.5);
        else expect(cells[f]).toBe(`${x}.50`);
      });
      expect(cells[4]).toBe(i % 2 ? "" : "note");
    });
  });

  it("chooses k by hidden values where only the method is said", async () => {
    const { stdout } = await run(
      "impute",
      "gaps.csv",
      "--out",
      "chosen.csv",
      "--method",
      "hals",
      "--json",
      ...FEATURES,
    );
    const answer = JSON.parse(stdout);
    expect(answer.tried.map(({ k }: { k: number }) => k)).toEqual([1, 2, 3]);
    expect(answer.k).toBeGreaterThan(1);
  });

  it("has its k from bonmf choose and fit --k auto too", async () => {
    const asked = ["gaps.csv", "--missing", "mask", "--method", "nmf", ...FEATURES];
    const { stdout } = await run("choose", ...asked, "--k", "2-3", "--json");
    const { rows, suggested, structure } = JSON.parse(stdout);
    expect([suggested, structure]).toEqual([2, true]);
    expect(rows.map(({ k }: { k: number }) => k)).toEqual([1, 2, 3]);
    expect(rows[0].heldOut).toBe(1);
    expect(rows[1].heldOut).toBeLessThan(0.5);
    const fitted = await run("fit", ...asked, "--k", "auto");
    expect(fitted.stdout).toMatch(/^k = \d was chosen\. \d prototypes predict entries hidden from the fit/);
  });

  it("fills by a model of fit --missing mask, whose predictions take gaps too", async () => {
    const fitted = await run(
      "fit",
      "gaps.csv",
      "--k",
      "2",
      "--method",
      "hals",
      "--missing",
      "mask",
      "--scale",
      "minmax",
      "--out",
      "m.safetensors",
      ...FEATURES,
    );
    expect(fitted.stderr).toContain("values are missing");
    expect(fitted.code).toBe(0);
    const { code, stdout } = await run("impute", "gaps.csv", "--model", "m.safetensors", "--out", "by-model.csv");
    expect(code).toBe(0);
    expect(stdout).toContain("filled by hals with k = 2");
    expect(read("by-model.csv")).not.toContain("NA");
    const predicted = await run("predict", "m.safetensors", "gaps.csv", "--columns", "none");
    expect(predicted.code).toBe(0);
    expect(predicted.stdout.trim().split("\n").length).toBe(41);
  });

  it("fills categories with the likeliest value", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 2 ? 9 : 1},${i % 2 ? 8 : 2},${i % 10 === 3 ? "" : i % 2 ? "red" : "blue"}`,
    );
    writeFileSync(path("kinds.tsv"), `x,y,kind\n${rows.join("\n")}\n`.replaceAll(",", "\t"));
    const { code } = await run(
      "impute",
      "kinds.tsv",
      "--out",
      "kinds-whole.tsv",
      "--k",
      "2",
      "--method",
      "kmeans",
      "--no-label",
      "--one-hot",
      "kind",
    );
    expect(code).toBe(0);
    const filled = read("kinds-whole.tsv")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t")[2]);
    filled.forEach((kind, i) => {
      expect(kind).toBe(i % 2 ? "red" : "blue");
    });
  });

  it("fills NumPy arrays", async () => {
    const X = Dense.from(numbers.map((row, i) => row.map((x, f) => (isGap(i, f) ? Number.NaN : x))));
    writeFileSync(path("x.npy"), writeNpy(X));
    expect((await run("impute", "x.npy", "--out", "whole.npy", "--k", "2")).code).toBe(0);
    const { X: whole } = readNpy(readFileSync(path("whole.npy")));
    expect(whole.toDense().data.every(Number.isFinite)).toBe(true);
  });

  it("writes tables of other formats with all columns, and prints CSV", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({
      key: `row ${i}`,
      count: i % 10 === 4 ? null : i,
      size: i % 10 === 7 ? null : 2 * i,
      kind: i % 20 === 2 ? null : i < 30 ? "low" : "high",
    }));
    writeFileSync(path("rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
    const parquet = await run("impute", "rows.jsonl", "--out", "rows.parquet", "--no-label");
    expect(parquet.code).toBe(0);
    expect(parquet.stdout).toMatch(/^15 missing values of 60 samples × 4 filled/);
    for (const source of ["rows.jsonl", "rows.parquet"]) {
      expect((await run("impute", source, "--out", "again.jsonl", "--no-label")).code).toBe(0);
      const found = read("again.jsonl").trim().split("\n").map((line) => JSON.parse(line)); // biome-ignore format: one line
      found.forEach((row, i) => {
        expect(Object.keys(row)).toEqual(["key", "count", "size", "kind"]);
        expect([row.key, row.kind]).toEqual([`row ${i}`, i < 30 ? "low" : "high"]);
        if (rows[i].size !== null) expect(row.size).toBe(2 * i);
        for (const [value, truth] of [[row.count, i], [row.size, 2 * i]]) expect(Math.abs(value - truth)).toBeLessThan(12); // biome-ignore format: one line
      });
    }
    const printed = await run("impute", "rows.parquet", "--out", "-", "--no-label");
    expect(printed.stdout.split("\n").slice(0, 2)).toEqual(["key,count,size,kind", "row 0,0,0,low"]);
    expect(printed.stderr).toContain("nothing is missing");
  });

  it("copies a file without gaps", async () => {
    writeFileSync(path("full.csv"), "a,b\n1,2\n3,5\n");
    const { stdout } = await run("impute", "full.csv", "--out", "copy.csv");
    expect(stdout).toBe(
      "nothing is missing in the columns of full.csv that were read: written as it is\nwritten to copy.csv\n",
    );
    expect(read("copy.csv")).toBe("a,b\n1,2\n3,5\n");
  });

  it("names what it cannot do", async () => {
    const complaint = async (...args: string[]) => (await run(...args)).stderr;
    expect(await complaint("impute", "gaps.csv")).toContain("--out is missing");
    expect(await complaint("impute", "gaps.csv", "--out", "x.xlsx")).toContain("is not one of a known format");
    expect(await complaint("impute", "gaps.csv", "--out", "x.npy")).toContain("x.npy has another format than gaps.csv");
    await run("fit", "gaps.csv", "--k", "2", "--out", "plain.safetensors", ...FEATURES);
    expect(await complaint("impute", "gaps.csv", "--model", "plain.safetensors", "--out", "x.csv")).toContain(
      "fit it with --missing mask",
    );
    writeFileSync(path("blank.csv"), "a,b\n1,2\n,\n3,5\n");
    expect(await complaint("fit", "blank.csv", "--k", "1", "--missing", "mask")).toContain(
      "blank.csv: sample 2 has no known value",
    );
    expect(await complaint("choose", "gaps.csv", "--missing", "mask")).toContain(
      "--method nmf, hals or semi-binary chooses by hidden values",
    );
    expect(await complaint("fit", "gaps.csv", "--k", "auto", "--missing", "mask")).toContain(
      "--k auto looks for gaps between clusters, which needs every value",
    );
    expect(
      await complaint("fit", "gaps.csv", "--k", "2", "--missing", "mask", "--method", "em-onmf", ...FEATURES),
    ).toContain('missing: "mask" is not for method "em-onmf"');
  });
});

describe("bonmf fit --missing mask", () => {
  it("writes a report and classifies with gaps", async () => {
    const { code } = await run(
      "fit",
      "gaps.csv",
      "--k",
      "3",
      "--missing",
      "mask",
      "--report",
      "page.html",
      ...FEATURES,
    );
    expect(code).toBe(0);
    expect(read("page.html")).toContain("<html");
    const rows = numbers.map(
      (row, i) => `${row.map((x, f) => (isGap(i, f) ? "" : x)).join(",")},${i % 5 > 2 ? "large" : "small"}`,
    );
    writeFileSync(path("classes.csv"), `a,b,c,d,class\n${rows.join("\n")}\n`);
    const classified = await run(
      "classify",
      "classes.csv",
      "--label",
      "class",
      "--scheme",
      "vote",
      "--missing",
      "mask",
      "--json",
    );
    expect(classified.stderr).toContain("values are missing");
    expect(classified.code).toBe(0);
  });
});

describe("bonmf impute without options", () => {
  const curve = Array.from({ length: 120 }, (_, i) => [i, 2 * i + (i % 3), (i - 60) ** 2, i % 2 ? 5 : 1]);
  const isHidden = (i: number, f: number) => (5 * i + 3 * f) % 11 === 0;
  const cellsOf = (extra: (i: number) => string) =>
    curve.map((row, i) => `${row.map((x, f) => (isHidden(i, f) ? "" : x)).join(",")},${extra(i)}`);

  it("fills from other values and other rows, and says how well it would guess known ones", async () => {
    writeFileSync(
      path("curve.csv"),
      `a,b,c,d,kind\n${cellsOf((i) => (i % 9 === 4 ? "" : i % 2 ? "odd" : "even")).join("\n")}\n`,
    );
    const { code, stdout } = await run(
      "impute",
      "curve.csv",
      "--out",
      "curve-whole.csv",
      "--one-hot",
      "kind",
      "--no-label",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d+ missing values of 120 samples × 6 filled from the other values and the nearest samples\nknown values that were hidden for a trial: \d+\.\d % of the error of column means\nwritten to curve-whole.csv\n$/,
    );
    const lines = read("curve-whole.csv").trim().split("\n").slice(1);
    lines.forEach((line, i) => {
      const cells = line.split(",");
      if (!isHidden(i, 3)) expect(cells[4]).toBe(i % 2 ? "odd" : "even");
      curve[i].forEach((x, f) => {
        if (!isHidden(i, f)) expect(cells[f]).toBe(`${x}`);
      });
      if (isHidden(i, 0)) expect(Math.abs(Number(cells[0]) - i)).toBeLessThan(12);
    });
    const { stdout: json } = await run(
      "impute",
      "curve.csv",
      "--out",
      "again.csv",
      "--one-hot",
      "kind",
      "--no-label",
      "--json",
    );
    expect(JSON.parse(json)).toMatchObject({ out: "again.csv", samples: 120, features: 6 });
    expect(JSON.parse(json).error).toBeLessThan(0.6);
    expect(read("again.csv")).toBe(read("curve-whole.csv"));
  });

  it("gives a row without numbers the means, and leaves a column without any as it is", async () => {
    const rows = curve.map((row, i) => (i === 7 ? ",,,,x" : `${row.join(",")},x`)).map((line) => `${line},`);
    writeFileSync(path("empty.csv"), `a,b,c,d,note,nothing\n${rows.join("\n")}\n`);
    const { code, stdout } = await run("impute", "empty.csv", "--out", "empty-whole.csv", "--features", "a,b,c,d");
    expect(code).toBe(0);
    expect(stdout).toContain("1 sample without any known value: filled with column means");
    const line = read("empty-whole.csv").split("\n")[8].split(",");
    const mean = curve.filter((_, i) => i !== 7).reduce((sum, [a]) => sum + a / 119, 0);
    expect(Number(line[0])).toBeCloseTo(mean, 3);
    expect(line.slice(4)).toEqual(["x", ""]);
  });

  it("writes decimal commas in every column of a file that has them", async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `${i},5;${2 * i},25;${i % 7 === 3 ? "" : 3 * i + (i % 2)}`);
    writeFileSync(path("commas.csv"), `a;b;c\n${lines.join("\n")}\n`);
    expect((await run("impute", "commas.csv", "--out", "commas-whole.csv")).code).toBe(0);
    const filled = read("commas-whole.csv").trim().split("\n").slice(1);
    expect(filled.join("")).not.toContain(".");
    expect(filled.filter((_, i) => i % 7 === 3).some((line) => /;\d+,\d+$/.test(line))).toBe(true);
  });
});
