// What `bonmf … --engine` refuses before it has reached anybody.
import { describe, expect, it } from "vitest";
import { complain, makeFolder } from "../binary.js";

const cwd = makeFolder();

const complaint = (...args: string[]) => complain(args, cwd);

describe("--engine without a cluster", () => {
  it("says that there is no answer, or that the address is none", () => {
    const fit = (engine: string) => complaint("fit", "--engine", engine, "--table", "t", "--k", "2");
    expect(fit("sc://127.0.0.1:1")).toMatch(/^error: no answer from 127\.0\.0\.1:1/);
    expect(fit("http://spark")).toMatch(/"http:\/\/spark" is not of the form sc:/);
  });

  it("knows what cannot be asked of a cluster", () => {
    const fit = (...more: string[]) => complaint("fit", "--engine", "sc://127.0.0.1:1", "--k", "2", ...more);
    expect(fit("--table", "t", "rows.csv")).toContain("the rows stay on the cluster");
    expect(fit("--table", "t", "--sql", "select 1")).toContain("one of --table, --sql and --parquet");
    expect(fit("--table", "t", "--scale", "minmax")).toContain("cannot be scaled");
    expect(fit("--table", "t", "--one-hot", "all")).toContain("--one-hot cannot be used with --engine");
    expect(complaint("fit", "x.csv", "--order", "t", "--k", "2")).toContain("--order is for rows on a cluster");
    expect(complaint("predict", "m.st", "--parquet", "t")).toContain("a local file needs no flag");
  });
});
