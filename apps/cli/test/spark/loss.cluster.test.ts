// A Connect server that is restarted while the command fits, on a cluster of its own: only where one was asked for.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel } from "bonmf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../../../packages/spark/cluster/cluster.js";
import { quoteWord } from "../../src/args/quote.js";
import { binary, bonmf, hasPty, makeFolder, runInTerminal, writeBlobs } from "../binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);

describe("a server that goes away", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ token: "sesame" });
    writeBlobs(at("blobs.csv"), 3000, 8, 3);
    const query = "select row_number() over () - 1 as id, * exclude (class) from 'blobs.csv'";
    expect(bonmf(["convert", "--sql", query, "rows.parquet"], { cwd }).code).toBe(0);
  });
  afterAll(() => cluster?.stop());

  // Progress, by which the test knows when to strike, is shown in terminals alone.
  it.skipIf(!hasPty)("leaves a model from which --resume goes on to the same result", async () => {
    const fit = ["fit", "--k", "12", "--seed", "4", "--max-iterations", "12"];
    const columns = Array.from({ length: 8 }, (_, f) => `x${f}`).join(",");
    expect(
      bonmf([...fit, "rows.parquet", "--features", columns, "--scale", "none", "--restarts", "1", "--out", "here.st"], {
        cwd,
      }).code,
    ).toBe(0);
    const there = [...fit, "--engine", cluster.url, "--order", "id", "--parquet", at("rows.parquet")];
    const line = [process.execPath, binary, ...there, "--out", "there.st"].map(quoteWord).join(" ");
    let restarted: Promise<void> | null = null;
    const { code, shown } = await runInTerminal(line, { cwd }, (text) => {
      if (/\b[2-9] iterations/.test(text)) restarted ??= cluster.restartConnect();
    });
    await restarted;
    expect(restarted).not.toBeNull();
    expect(code).toBe(1);
    expect(shown.replace(/\s+/g, " ")).toMatch(/the Spark server went away .* the model so far is in there\.st/);
    expect(shown.slice(shown.indexOf("went away"))).not.toContain("sesame");
    const again = bonmf([...there, "--resume", "there.st", "--out", "late.st"], { cwd });
    expect(again).toMatchObject({ code: 0 });
    expect(loadModel(readFileSync(at("late.st"))).history).toEqual(loadModel(readFileSync(at("here.st"))).history);
  });

  it("is refused with a wrong token, in one message that does not show it", () => {
    const wrong = cluster.url.replace("sesame", "guess");
    const { code, stderr } = bonmf(["fit", "--engine", wrong, "--sql", "select 1", "--k", "2"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*token/);
    expect(stderr).not.toContain("guess");
  });
});
