import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type ProjectFile, writeProject } from "bonmf-data";
import { beforeAll, expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

const folder = makeFolder();
const at = (name: string) => join(folder, name);
const rows = Array.from(
  { length: 60 },
  (_, i) => `${i % 3 === 0 ? 9 : 1},${i % 3 === 1 ? 9 : 1},${i % 5},k${i % 3},o${i % 2}`,
);
const bytes = new TextEncoder().encode(["a,b,c,class,other", ...rows, ""].join("\n"));
const source = { name: "rows.csv", path: null, size: bytes.length, checksum: crc32(bytes), bytes };
let project: ProjectFile;

const save = (name: string, change: Partial<ProjectFile> = {}) =>
  writeFileSync(at(name), Buffer.concat(writeProject({ ...project, ...change }, { crc32 })));

/** What a report says of its findings, without their numbers. */
const readPage = (name: string) => readFileSync(at(name), "utf8");

beforeAll(async () => {
  writeFileSync(at("rows.csv"), bytes);
  const { code } = await runBonmf(["fit", "rows.csv", "--k", "3", "--exclude", "other", "--out", "m.safetensors"], {
    cwd: folder,
  });
  expect(code).toBe(0);
  const model = readFileSync(at("m.safetensors"));
  const run = { id: 1, order: {}, seconds: 1, groups: [0, 1, 1], names: ["", "the others", ""], model };
  project = {
    name: "mine",
    data: { part: null, files: [source] },
    choice: null,
    runs: [run],
    view: null,
    current: 1,
  };
  mkdirSync(at("elsewhere"));
  for (const name of ["with.bonmf", "elsewhere/with.bonmf"]) save(name);
  const named = { part: null, files: [{ ...source, bytes: null }] };
  for (const name of ["without.bonmf", "elsewhere/without.bonmf"]) save(name, { data: named });
});

it("reports on the samples in a project, with its names and merges", async () => {
  mkdirSync(at("tmp"));
  const env = { TMPDIR: at("tmp") };
  const { code, stdout } = await runBonmf(["report", "elsewhere/with.bonmf", "-o", "with.html"], { cwd: folder, env });
  expect(code).toBe(0);
  expect(stdout).toContain("60 samples in 3 clusters, merged into 2");
  expect(readPage("with.html")).toContain("the others");
  expect(readPage("with.html")).toContain('"fitted":3');
  expect(readPage("with.html")).toContain("bonmf fit rows.csv");
  expect(readPage("with.html")).not.toContain(at("tmp"));
  expect(readPage("with.html")).toContain('"source":"rows.csv"');
  expect(readdirSync(at("tmp"))).toEqual([]);
});

it("compares with the label of the fit, with the one chosen in the studio, or with none", async () => {
  const report = async (...args: string[]) => {
    const { stdout } = await runBonmf(["report", ...args, "-o", "label.html", "--json"], { cwd: folder });
    const [, classes] = /"classes":(\[[^\]]*\])/.exec(readPage("label.html")) ?? [];
    return [JSON.parse(stdout).labels, classes ? JSON.parse(classes) : null];
  };
  const kinds = [true, ["k0", "k1", "k2"]];
  expect(await report("with.bonmf")).toEqual(kinds);
  expect(await report("m.safetensors", "rows.csv")).toEqual(kinds);
  expect((await report("m.safetensors", "rows.csv", "--no-label"))[0]).toBe(false);
  save("other.bonmf", { choice: { label: "other" } });
  expect(await report("other.bonmf")).toEqual([true, ["o0", "o1"]]);
  save("none.bonmf", { choice: { label: null } });
  expect((await report("none.bonmf"))[0]).toBe(false);
  writeFileSync(at("bare.csv"), "a,b,c\n9,1,0\n1,9,1\n1,1,2\n9,2,1\n");
  expect((await report("m.safetensors", "bare.csv"))[0]).toBe(false);
});

it("finds the samples that a project names beside it, or is told where they are", async () => {
  expect((await runBonmf(["report", "without.bonmf", "-o", "beside.html"], { cwd: folder })).code).toBe(0);
  const missing = await runBonmf(["report", "elsewhere/without.bonmf", "-o", "x.html"], { cwd: folder });
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("refers to rows.csv, which is not beside it");
  expect(existsSync(at("x.html"))).toBe(false);
  const told = await runBonmf(["report", "elsewhere/without.bonmf", "rows.csv", "-o", "told.html"], { cwd: folder });
  expect(told.code).toBe(0);
  writeFileSync(at("elsewhere/rows.csv"), "a,b\n1,2\n");
  const other = await runBonmf(["report", "elsewhere/without.bonmf", "-o", "x.html"], { cwd: folder });
  expect(other.stderr).toContain("the file beside it is another");
});

it("is a model for the other commands", async () => {
  const { stdout, code } = await runBonmf(["predict", "with.bonmf", "rows.csv", "--out", "-"], { cwd: folder });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(61);
  expect(lines[0]).toMatch(/cluster,name,cosine,margin$/);
  // Merged as in the studio: 0, and 1 with 2.
  expect(new Set(lines.slice(1).map((line) => line.split(",").slice(5, 7).join(" ")))).toEqual(
    new Set(["0 ", "1 the others"]),
  );
  expect((await runBonmf(["inspect", "with.bonmf"], { cwd: folder })).stdout).toContain("the others");
});

it("says what is missing", async () => {
  save("empty.bonmf", { runs: [], current: null });
  const { stderr, code } = await runBonmf(["inspect", "empty.bonmf"], { cwd: folder });
  expect([code, stderr]).toEqual([1, expect.stringContaining("the project empty.bonmf has no run")]);
  const bare = await runBonmf(["report", "m.safetensors"], { cwd: folder });
  expect([bare.code, bare.stderr]).toEqual([1, expect.stringContaining("bonmf report needs DATA")]);
  save("example.bonmf", { data: { example: "drinks" } });
  const example = await runBonmf(["report", "example.bonmf"], { cwd: folder });
  expect(example.stderr).toContain("an example that the studio makes up");
});

it("lets no name lead out of the folder for temporary files", async () => {
  const data = { part: null, files: [{ ...source, path: "../../../evil/rows.csv" }] };
  save("evil.bonmf", { data });
  const { code } = await runBonmf(["report", "evil.bonmf", "-o", "evil.html"], { cwd: folder });
  expect(code).toBe(0);
  expect(existsSync(join(tmpdir(), "..", "evil"))).toBe(false);
  expect(existsSync(join(folder, "..", "evil"))).toBe(false);
});

it("knows the vectors of its documents", async () => {
  const subjects = ["match team goal", "taxes minister law"];
  const texts = Array.from({ length: 24 }, (_, i) => `${subjects[i % 2]} ${"abcdef"[i % 6].repeat(3)}`);
  const docs = new TextEncoder().encode(["body", ...texts, ""].join("\n"));
  const lines = texts.map((_, i) => `${i % 4 < 2 ? 1 : -1},${(i % 5) / 10},${(i % 3) / 10 - 0.1}`);
  const vectors = new TextEncoder().encode(["x,y,z", ...lines, ""].join("\n"));
  const refer = (name: string, bytes: Uint8Array) => ({
    ...{ name, path: null, size: bytes.length, checksum: crc32(bytes), bytes },
  });
  writeFileSync(at("docs.csv"), docs);
  writeFileSync(at("v.csv"), vectors);
  const flags = ["--text", "body", "--vectors", "v.csv", "--k", "4", "--out", "t.safetensors"];
  expect((await runBonmf(["topics", "docs.csv", ...flags], { cwd: folder })).code).toBe(0);
  const model = readFileSync(at("t.safetensors"));
  const run = { id: 1, order: {}, seconds: 1, groups: [0, 1, 0, 3], names: ["both", "", "", ""], model };
  const data = { part: null, files: [refer("docs.csv", docs)], vectors: refer("vec tors.csv", vectors) };
  save("told.bonmf", { data, runs: [run], choice: { text: "body", vectors: "vec tors.csv" } });
  const report = await runBonmf(["report", "told.bonmf", "-o", "told.html"], { cwd: folder });
  expect([report.code, report.stderr]).toEqual([0, expect.anything()]);
  expect(report.stdout).toContain("24 documents in 4 topics, merged into 3");
  expect(readPage("told.html")).toMatch(/"distinctive":\[\{"name":"(match|team|goal|taxes|minister|law|[a-f]{3})"/);
  const predicted = await runBonmf(["predict", "told.bonmf", "docs.csv", "--vectors", "v.csv", "--out", "-"], {
    cwd: folder,
  });
  expect([predicted.code, predicted.stderr]).toEqual([0, expect.anything()]);
  expect(predicted.stdout.trimEnd().split("\n")).toHaveLength(25);
});
