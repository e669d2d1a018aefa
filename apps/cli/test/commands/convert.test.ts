import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLibsvm, readMatrixMarket, readNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

const folder = makeFolder();
const path = (name: string) => join(folder, name);

const csv = "name,a,b,kind\np,1,0.1,tea\nq,0,2.5,coffee\nr,3,0,tea\n";
writeFileSync(path("in.csv"), csv);

const convert = (...args: string[]) => runBonmf(["convert", ...args], { cwd: folder });

describe("bonmf convert", () => {
  it.each(["csv", "tsv", "jsonl", "parquet", "arrow", "csv.gz"])("goes to %s and back", async (ending) => {
    const there = await convert("in.csv", `table.${ending}`, "--id", "name", "--label", "kind");
    expect(there).toMatchObject({ code: 0, stderr: "" });
    expect(there.stdout).toMatch(/^3 samples × 2, dense: csv → \w+, table\.\S+ \(\d+ B|k B\)\n$/);
    expect((await convert(`table.${ending}`, "back.csv", "--id", "name", "--label", "kind")).stderr).toBe("");
    expect(readFileSync(path("back.csv"), "utf8")).toBe(csv);
  });

  it("keeps labels in LIBSVM, and says what it leaves out", async () => {
    const { code, stderr } = await convert("in.csv", "out.svm", "--exclude", "name", "--label", "kind");
    expect(code).toBe(0);
    expect(stderr).toBe("not written, because libsvm cannot hold them: names of the features\n");
    const table = readLibsvm(readFileSync(path("out.svm")));
    expect(table.labels).toEqual(["tea", "coffee", "tea"]);
    expect([...table.X.toDense().data]).toEqual([1, 0.1, 0, 2.5, 3, 0].map(Math.fround));
    expect((await convert("out.svm", "from-svm.csv")).code).toBe(0);
    expect(readFileSync(path("from-svm.csv"), "utf8")).toBe("f1,f2,label\n1,0.1,tea\n0,2.5,coffee\n3,0,tea\n");
  });

  it("writes labels beside a matrix when asked, and else tells", async () => {
    const told = await convert("in.csv", "x.npy", "--exclude", "name", "--label", "kind");
    expect(told.stderr).toContain(
      "not written, because npy cannot hold them: names of the features, labels (--labels-out",
    );
    const kept = await convert("in.csv", "x.npy", "--exclude", "name", "--label", "kind", "--labels-out", "y.csv");
    expect(kept.stderr).not.toContain("labels");
    expect(readFileSync(path("y.csv"), "utf8")).toBe("kind\ntea\ncoffee\ntea\n");
    expect([...readNpy(readFileSync(path("x.npy"))).X.row(1)]).toEqual([0, 2.5]);
    const words = await convert("in.csv", "x.npy", "--exclude", "name", "--label", "kind", "--labels-out", "y.npy");
    expect(words).toMatchObject({ code: 1, stdout: "" });
    expect(words.stderr).toContain('the label of sample 1 is "tea"');
  });

  it("keeps sparse samples sparse", async () => {
    writeFileSync(path("wide.svm"), Array.from({ length: 2000 }, (_, i) => `${i % 2} ${i + 1}:1 100000:2\n`).join(""));
    expect((await convert("wide.svm", "wide.mtx")).code).toBe(0);
    const { X } = readMatrixMarket(readFileSync(path("wide.mtx")));
    expect([X.kind, X.samples, X.features]).toEqual(["sparse", 2000, 100_000]);
    const { code, stderr } = await convert("wide.svm", "wide.csv");
    expect(code).toBe(1);
    expect(stderr).toContain("2000 × 100000 sparse samples would be 200000000 cells");
    expect(stderr).toContain("hint: keep them sparse: --to libsvm (with labels) or --to mtx");
    expect(existsSync(path("wide.csv"))).toBe(false);
  });

  it("tells programs what it did", async () => {
    const { stdout } = await convert("in.csv", "j.npy", "--features", "a,b", "--no-label", "--json");
    expect(JSON.parse(stdout)).toEqual({
      from: { kind: "csv", samples: 3, features: 2, layout: "dense", labels: false },
      to: { format: "npy", path: "j.npy", bytes: 152, labels: null },
      leftOut: ["names of the features"],
    });
  });

  it("takes a query and a format by name", async () => {
    const out = await convert("out.data", "--to", "csv", "--sql", "select a + b as c from 'in.csv' order by a");
    expect(out.code).toBe(0);
    expect(readFileSync(path("out.data"), "utf8")).toBe("c\n2.5\n1.1\n3\n");
  });

  it.each([
    [["in.csv"], "bonmf convert needs OUT"],
    [["in.csv", "out.xyz"], "out.xyz: the ending of the name is not one of a known format"],
    [["in.csv", "no/out.parquet", "--features", "a"], "no/out.parquet: the folder no does not exist"],
    [
      ["in.csv", "a.csv", "--features", "a", "--no-label", "--labels-out", "l.csv"],
      "--labels-out: the samples have no labels",
    ],
    [["none.csv", "a.csv"], "none.csv"],
    [["in.csv", "/dev/full", "--to", "parquet", "--features", "a"], "/dev/full: the disk is full"],
  ])("refuses %j", async (args, message) => {
    const before = readdirSync(folder).sort();
    const { code, stdout, stderr } = await convert(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});

describe("bonmf convert of real files", () => {
  it("w8a, through Matrix Market, is the same matrix", async () => {
    expect((await convert("@w8a", "w8a.mtx", "--labels-out", "w8a.csv")).code).toBe(0);
    const { X } = readMatrixMarket(readFileSync(path("w8a.mtx")));
    expect([X.kind, X.samples, X.features]).toEqual(["sparse", 49749, 300]);
    expect(readFileSync(path("w8a.csv"), "utf8").match(/\n/g)).toHaveLength(49750);
  });

  it("optdigits, through Parquet, is the same table", async () => {
    expect((await convert("@optdigits", "o.parquet", "--label", "class")).code).toBe(0);
    expect((await convert("o.parquet", "o.csv", "--label", "class")).code).toBe(0);
    expect((await convert("@optdigits", "direct.csv", "--label", "class")).code).toBe(0);
    expect(readFileSync(path("o.csv"), "utf8")).toBe(readFileSync(path("direct.csv"), "utf8"));
  });
});
