import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bonmf, makeFolder } from "../binary.js";

const cwd = makeFolder();
writeFileSync(join(cwd, "rows.csv"), "name,a,b\nx,5,0\ny,4,1\nz,0,3\n");
const run = (...args: string[]) => bonmf(args, { cwd });
const FIT = ["fit", "rows.csv", "--features", "a,b", "--k", "2", "--assignments", "-"];

it("takes the rows of a fit; the tables for people go to stderr", () => {
  const { code, stdout, stderr } = run(...FIT, "--out", "m.st");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^name,a,b,cluster,cosine,margin\nx,5,0,\d,\S+\ny,4,1,\d,\S+\nz,0,3,\d,\S+\n$/);
  expect(stderr).toContain("cluster  size");
  expect(stderr).toContain("assignments written to standard output");
});

it("takes predictions, as without --out", () => {
  const plain = run("predict", "m.st", "rows.csv");
  expect(run("predict", "m.st", "rows.csv", "--out", "-").stdout).toBe(plain.stdout);
  expect(plain.stdout).toMatch(/^name,a,b,cluster/);
});

it("takes what convert makes, as CSV or as --to says", () => {
  const csv = run("convert", "rows.csv", "-", "--features", "a,b");
  expect(csv).toMatchObject({ code: 0, stdout: "a,b\n5,0\n4,1\n0,3\n" });
  expect(csv.stderr).toContain("csv → csv, standard output");
  expect(run("convert", "rows.csv", "-", "--features", "a,b", "--to", "jsonl").stdout).toBe(
    '{"a":5,"b":0}\n{"a":4,"b":1}\n{"a":0,"b":3}\n',
  );
});

it("cannot take two things", () => {
  const { code, stderr } = run(...FIT, "--json");
  expect(code).toBe(1);
  expect(stderr).toContain("--json and a file called - both mean standard output");
  const parquet = run("convert", "rows.csv", "-", "--features", "a,b", "--to", "parquet");
  expect(parquet.stderr).toContain("Parquet cannot be written to standard output");
});
