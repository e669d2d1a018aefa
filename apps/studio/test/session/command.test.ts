import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel } from "bonmf";
import { afterAll, expect, it } from "vitest";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-studio-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const main = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

/** Measurements in units of their own, with an index, a category, missing values and names. */
function makeTools(): string {
  const lines = Array.from({ length: 150 }, (_, i) => {
    const kind = (i * i) % 3;
    const length = i % 40 === 7 ? "" : (10 + 5 * kind + ((i * 7) % 10) / 10).toFixed(1);
    const mass = 1000 + 600 * ((kind * 2) % 3) + ((i * 37) % 200);
    return [i, `tool ${i}`, length, mass, i % 4 < 2 ? "red" : "blue", `kind ${kind}`].join(",");
  });
  return [",name,length,mass,colour,class", ...lines, ""].join("\n");
}

it.each([
  ["bonmf", []],
  ["kmeans", ["--method", "kmeans"]],
  ["nmf", ["--method", "nmf"]],
] as const)("%s: the same model and assignments as the command's", async (method, flags) => {
  const [file, model, clusters] = ["tools.csv", "model.safetensors", "clusters.csv"].map((name) => join(folder, name));
  writeFileSync(file, makeTools());
  const args = ["fit", file, "--k", "3", "--seed", "5", ...flags, "--out", model, "--assignments", clusters, "--quiet"];
  execFileSync(process.execPath, [main, ...args]);
  const theirs = loadModel(readFileSync(model), model);

  const session = new LocalSession(() => {});
  const { choice } = await session.open([{ name: "tools.csv", blob: new Blob([makeTools()]) }]);
  await session.prepare(choice);
  await session.fit(1, { ...FIRST_ORDER, k: 3, seed: 5, method, pace: 0 }, null);
  const ours = loadModel(await session.save(1));

  expect(ours.settings).toEqual(theirs.settings);
  expect(ours.scaler.name).toBe(theirs.scaler.name);
  expect({ ...ours.tags, source: "" }).toEqual({ ...theirs.tags, source: "" });
  expect(ours.potential).toBe(theirs.potential);
  expect(ours.W.data).toEqual(theirs.W.data);
  expect(ours.labels).toEqual(theirs.labels);
  expect(await session.assignments(1, null)).toBe(readFileSync(clusters, "utf8"));
});

it("recommends the number of clusters that the command recommends", async () => {
  const file = join(folder, "choose.csv");
  writeFileSync(file, makeTools());
  const args = ["choose", file, "--json", "--quiet"];
  const theirs = JSON.parse(execFileSync(process.execPath, [main, ...args], { encoding: "utf8" }));
  const session = new LocalSession(() => {});
  const { choice } = await session.open([{ name: "choose.csv", blob: new Blob([makeTools()]) }]);
  await session.prepare(choice);
  const { k, structure, runnerUp, reason, trials } = await session.choose(FIRST_ORDER, null);
  expect({ k, structure, runnerUp, reason }).toEqual({
    k: theirs.suggested,
    structure: theirs.structure,
    runnerUp: theirs.runnerUp,
    reason: theirs.reason,
  });
  expect(trials.map((one) => [one.k, one.relativeError])).toEqual(
    theirs.rows.map((one: { k: number; relativeError: number }) => [one.k, one.relativeError]),
  );
});
