// `bonmf fit` and `bonmf predict --engine cpu | gpu | auto`. Machines without a GPU compute on the CPU and say so; the clusters are the same.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { complain, makeFolder, runBonmf } from "../binary.js";

const cwd = makeFolder();
const rows = Array.from({ length: 60 }, (_, i) => `${i % 3},${(i * 7) % 5},${(i * 3) % 11}`);
writeFileSync(join(cwd, "rows.csv"), ["a,b,c", ...rows].join("\n"));

const fit = (...more: string[]) => runBonmf(["fit", "rows.csv", "--k", "3", "--json", ...more], { cwd });

describe("bonmf fit --engine", () => {
  it("finds the same clusters everywhere", async () => {
    const [cpu, gpu, auto] = await Promise.all(["cpu", "gpu", "auto"].map((name) => fit("--engine", name)));
    const resultOf = ({ stdout }: { stdout: string }) => {
      const { counts, objective, explained } = JSON.parse(stdout);
      return { counts, objective, explained };
    };
    expect(resultOf(gpu)).toEqual(resultOf(cpu));
    expect(resultOf(auto)).toEqual(resultOf(cpu));
    expect(auto.stderr).not.toContain("GPU");
  });

  it("refuses what is meant for a cluster, needs another place, or is no engine", () => {
    expect(complain(["fit", "rows.csv", "--k", "3", "--engine", "tpu"], cwd)).toContain(
      '--engine "tpu" is not known\nhint: choose cpu, gpu, auto',
    );
    expect(complain(["fit", "rows.csv", "--k", "3", "--engine", "gpu", "--order", "a"], cwd)).toContain(
      "--order is for rows on a cluster, not for --engine gpu",
    );
    expect(complain(["choose", "rows.csv", "--engine", "auto"], cwd)).toContain("--engine auto is for bonmf fit");
    expect(complain(["fit", "rows.csv", "--k", "3", "--engine", "gpu", "--memory", "64MB"], cwd)).toContain(
      "--engine gpu needs the samples in memory",
    );
  });
});

describe("bonmf predict --engine", () => {
  it("finds the same clusters everywhere, and says what the CPU computes", async () => {
    await fit("--out", "m.safetensors");
    const predict = (...more: string[]) => runBonmf(["predict", "m.safetensors", "rows.csv", ...more], { cwd });
    const few = await Promise.all(["cpu", "gpu", "auto"].map((name) => predict("--columns", "none", "--engine", name)));
    expect(few[0].stdout.split("\n").length).toBeGreaterThan(60);
    for (const { stdout } of few.slice(1)) expect(stdout).toBe(few[0].stdout);
    const [all, same] = [await predict(), await predict("--engine", "gpu")];
    expect(same.stdout).toBe(all.stdout);
    expect(same.stderr).toContain("note: the CPU computes: the GPU finds clusters alone (--columns none)");
    expect(complain(["predict", "m.safetensors", "rows.csv", "--engine", "tpu"], cwd)).toContain(
      '--engine "tpu" is not known',
    );
  });
});
