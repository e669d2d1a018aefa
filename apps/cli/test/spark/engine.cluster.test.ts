// `bonmf … --engine` on a real cluster: SPARK_CONNECT_URL, which packages/spark/cluster/check.js sets.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel } from "bonmf";
import { beforeAll, describe, expect, it } from "vitest";
import { bonmf, complain, makeFolder, writeBlobs } from "../binary.js";

const url = process.env.SPARK_CONNECT_URL ?? "";
const cwd = makeFolder();
const at = (name: string) => join(cwd, name);
const run = (...args: string[]) => bonmf(args, { cwd });

const complaint = (...args: string[]) => complain(args, cwd);

describe("--engine on a cluster", () => {
  const there = ["--engine", url, "--order", "id", "--parquet", at("rows.parquet")];
  const columns = "x0,x1,x2,x3,x4,x5";
  const modelOf = (name: string) => loadModel(readFileSync(at(name)));
  const tableOf = (path: string) => {
    const copy = ["convert", "--sql", `select id, cluster from '${path}/*.parquet' order by id`, "labels.csv"];
    expect(run(...copy)).toMatchObject({ code: 0 });
    return readFileSync(at("labels.csv"), "utf8");
  };

  beforeAll(() => {
    writeBlobs(at("blobs.csv"), 900, 6, 3);
    const query = "select row_number() over () - 1 as id, * exclude (class) from 'blobs.csv'";
    expect(run("convert", "--sql", query, "rows.parquet")).toMatchObject({ code: 0 });
    const local = [
      "fit",
      "rows.parquet",
      "--k",
      "4",
      "--seed",
      "2",
      "--features",
      columns,
      "--scale",
      "none",
      "--restarts",
      "1",
      "--out",
      "here.st",
    ];
    expect(run(...local)).toMatchObject({ code: 0 });
  });

  it("fits as here, and the cluster writes the labels", () => {
    const args = ["fit", ...there, "--k", "4", "--seed", "2", "--out", "there.st", "--assignments", at("labels")];
    const { code, stdout } = run(...args, "--json");
    expect(code).toBe(0);
    const [here, model] = [modelOf("here.st"), modelOf("there.st")];
    expect(model.W.data).toEqual(here.W.data);
    expect(model.history).toEqual(here.history);
    expect(model.featureNames).toEqual(columns.split(","));
    expect(JSON.parse(stdout)).toMatchObject({ samples: 900, features: 6, counts: [...here.counts], engine: url });
    const labels = Array.from(here.labels, (label, i) => `${i},${label}`);
    expect(tableOf(at("labels")).trimEnd().split("\n").slice(1)).toEqual(labels);
  });

  it("goes on with a fit that had used up its iterations", () => {
    const begin = run("fit", ...there, "--k", "4", "--seed", "2", "--max-iterations", "1", "--out", "early.st");
    expect(begin.code).toBe(0);
    const end = run("fit", ...there, "--resume", "early.st", "--max-iterations", "300", "--out", "late.st");
    expect(end.code).toBe(0);
    expect(modelOf("late.st").history).toEqual(modelOf("here.st").history);
  });

  it("predicts with a model from here, on the cluster", () => {
    const { code, stdout } = run("predict", "here.st", ...there, "--out", at("answers"));
    expect(stdout).toContain("written by the cluster to");
    expect(code).toBe(0);
    const labels = Array.from(modelOf("here.st").labels, (label, i) => `${i},${label}`);
    expect(tableOf(at("answers")).trimEnd().split("\n").slice(1)).toEqual(labels);
  });

  it("says in one message what is wrong", () => {
    const fit = (...more: string[]) => complaint("fit", "--engine", url, "--k", "2", ...more);
    expect(fit("--table", "no.such")).toContain("no.such: [TABLE_OR_VIEW_NOT_FOUND]");
    expect(fit("--parquet", "/no/such")).toContain("[PATH_NOT_FOUND]");
    expect(fit("--sql", "selec 1")).toContain("[PARSE_SYNTAX_ERROR]");
    expect(fit("--sql", "select 'a' as s", "--features", "s")).toContain("column s is string");
    expect(fit("--sql", "select id, -1D as a from range(3)", "--id", "id")).toContain("id = 0: column a is -1.0");
    expect(fit("--parquet", at("rows.parquet"), "--method", "nmf")).toContain("only bonmf, spherical and kmeans");
    expect(complaint("predict", "here.st", ...there)).toContain("--out is missing");
  });
});
