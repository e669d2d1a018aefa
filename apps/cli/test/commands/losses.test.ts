import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fit, loadModel, readCsv } from "bonmf";
import { expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 200, 6, 3);
const run = (...args: string[]) => runBonmf(args, { cwd });
const FIT = ["fit", "blobs.csv", "--k", "3", "--method", "nmf", "--scale", "none", "--label", "class"];
const DIVERGENCE = ["--loss", "kullback-leibler", "--l1-w", "0.01", "--l2-h", "0.02"];

it("fits by the divergence with penalties, as the library does, and says what its objective is", async () => {
  const { code, stdout } = await run(...FIT, ...DIVERGENCE, "--out", "counts.bonmf", "--json");
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  const { X } = readCsv(readFileSync(join(cwd, "blobs.csv")), { label: "class" });
  const model = await fit(X, { k: 3, method: "nmf", loss: "kullback-leibler", l1W: 0.01, l2H: 0.02 });
  expect(answer).toMatchObject({
    objective: model.potential,
    loss: "kullback-leibler",
    penalties: { l1W: 0.01, l2W: 0, l1H: 0, l2H: 0.02 },
  });
  const { settings } = loadModel(readFileSync(join(cwd, "counts.bonmf")));
  expect(settings).toMatchObject({ loss: "kullback-leibler", l1W: 0.01, l2H: 0.02 });
});

it("names the divergence to people, and the squared error beside it", async () => {
  const { stdout } = await run(...FIT, ...DIVERGENCE, "--out", "again.bonmf");
  expect(stdout).toMatch(/Kullback–Leibler divergence with penalties [\d.,]+; of the squared error explained \d/);
  const shown = await run("inspect", "again.bonmf");
  expect(shown.stdout).toMatch(/Kullback–Leibler divergence with penalties [\d.,]+; of the squared error/);
  expect((await run(...FIT, "--out", "plain.bonmf")).stdout).not.toMatch(/divergence|of the squared error/);
});

it("writes the flags into the report's command, and the divergence into its text", async () => {
  const { code } = await run(...FIT, ...DIVERGENCE, "--report", "counts.html");
  expect(code).toBe(0);
  const page = readFileSync(join(cwd, "counts.html"), "utf8");
  expect(page).toContain("Kullback–Leibler divergence with penalties");
});

it("refuses to resume with another loss or penalty, and names the flag", async () => {
  await run(...FIT, ...DIVERGENCE, "--max-iterations", "2", "--out", "part.bonmf");
  const resumed = (...more: string[]) => run(...FIT, "--resume", "part.bonmf", ...more);
  expect((await resumed("--l1-w", "0.5")).stderr).toMatch(/--l1-w 0.5 does not agree .* which has 0.01/);
  expect((await resumed("--loss", "frobenius")).stderr).toMatch(/--loss frobenius does not agree .* kullback-leibler/);
});

it("refuses a loss that the method does not know", async () => {
  const { code, stderr } = await run("fit", "blobs.csv", "--k", "3", "--method", "hals", "--loss", "kullback-leibler");
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/belongs to method "nmf"/);
});
