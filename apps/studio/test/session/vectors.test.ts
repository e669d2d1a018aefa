import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Dense, loadTopics, writeNpy } from "bonmf";
import { afterAll, describe, expect, it } from "vitest";
import type { Choice } from "../../src/data/choice.js";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-studio-vectors-"));
afterAll(() => rmSync(folder, { recursive: true }));
const main = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

const SUBJECTS = [
  ["match", "team", "goal", "striker", "keeper", "referee"],
  ["taxes", "minister", "election", "voters", "law", "party"],
  ["guitar", "concert", "singer", "album", "stage", "band"],
];
/** Words tell three subjects; vectors tell the halves of each. */
const rows = Array.from({ length: 60 }, (_, i) => {
  const words = SUBJECTS[i % 3];
  const body = [0, 1, 2, 3].map((at) => words[(i * 5 + at * at + at) % words.length]).join(" ");
  const sign = i % 2 === 0 ? 1 : -1;
  return {
    body,
    kind: `kind ${i % 3}`,
    embedding: [sign, (i % 7) / 10, (i % 5) / 10 - 0.2, i % 3 === 0 ? 0.5 : -0.25],
  };
});
const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
const csv = ["body,kind", ...rows.map(({ body, kind }) => `${body},${kind}`), ""].join("\n");
const npy = writeNpy(Dense.from(rows.map(({ embedding }) => embedding)));
const order = { ...FIRST_ORDER, k: 6, method: "spherical", seed: 3, pace: 0 } as const;
const base: Choice = { text: "body", label: "kind" };
const item = (name: string, content: BlobPart) => ({ name, blob: new Blob([content]) });

async function openWith(choice: Choice, vectors?: ReturnType<typeof item>) {
  const session = new LocalSession(() => {});
  const file = vectors ? item("news.csv", csv) : item("news.jsonl", jsonl);
  const preview = await session.open([file], undefined, vectors);
  const summary = await session.prepare(choice);
  return { session, preview, summary };
}

describe("documents with vectors", () => {
  it.each([
    ["a list column", "news.jsonl", jsonl, "embedding", undefined, undefined],
    ["an array beside them", "news.csv", csv, "news.npy", item("news.npy", npy as BlobPart), 0.3],
    ["an array alone", "news.csv", csv, "news.npy", item("news.npy", npy as BlobPart), 1],
  ] as const)("from %s: the topics of the command", async (_, name, content, vectors, file, weight) => {
    for (const [path, bytes] of [
      [name, content],
      ["news.npy", npy],
    ] as const) {
      writeFileSync(join(folder, path), bytes);
    }
    const flags = ["--text", "body", "--label", "kind", "--vectors", vectors, "--k", "6", "--seed", "3", "--quiet"];
    const more = weight === undefined ? [] : ["--vector-weight", String(weight)];
    execFileSync(process.execPath, [main, "topics", name, ...flags, ...more, "--out", "t.safetensors"], {
      cwd: folder,
    });
    const theirs = loadTopics(readFileSync(join(folder, "t.safetensors")));

    const { session, summary } = await openWith({ ...base, vectors, vectorWeight: weight }, file);
    expect(summary).toMatchObject({ form: "text", vectorWeight: weight ?? 0.5, samples: 60 });
    expect(summary.notes.at(-1)).toMatch(/by vectors of 4 numbers/);
    expect(await session.chart(order)).toMatchObject({ scale: "none" });
    const { info } = await session.fit(1, order, null);
    const ours = loadTopics(await session.save(1));
    expect(ours.model.W.data).toEqual(theirs.model.W.data);
    expect(Array.from(info!.labels)).toEqual(Array.from(theirs.model.labels));
    expect(ours.list.map(({ telling }) => telling)).toEqual(theirs.list.map(({ telling }) => telling));
    expect(ours.model.tags.recipe).toBe(theirs.model.tags.recipe);
  });

  it("are told by words, merged or not, and are there again from the file", async () => {
    const { session, preview } = await openWith({ ...base, vectors: "embedding" });
    expect(preview.vectors).toEqual(["embedding"]);
    await session.fit(1, order, null);
    const findings = await session.findings(1);
    expect(findings.form).toBe("text");
    const names = findings.clusters.map(({ distinctive }) => distinctive.map(({ name }) => name));
    const words = new Set(SUBJECTS.flat());
    expect(names.every((list) => list.length > 0 && list.every((name) => words.has(name)))).toBe(true);
    expect(findings.topics!.words).toHaveLength(6);
    expect(findings.repeat.code).toContain("await topics({ counts, vocabulary, vectors }, {\n  k: 6,");
    expect(findings.repeat.code).toContain("vectorWeight: 0.5");
    const query = { cluster: null, label: null, text: "", sort: "typical", from: 0, count: 3 } as const;
    const [first] = (await session.find(1, query)).rows;
    expect(first.passage.some(({ marked }) => marked)).toBe(true);
    const { reasons } = await session.sample(1, first.sample);
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.every(({ name }) => words.has(name))).toBe(true);
    const some = await session.describeSelection(1, Uint32Array.from([0, 3, 6, 9]));
    expect(some.words.every((word) => SUBJECTS[0].includes(word))).toBe(true);
    expect((await session.column(1, { by: "feature", feature: "match" })).type).toBe("numbers");

    const bytes = await session.save(1);
    const groups = [0, 1, 0, 3, 4, 5];
    await session.merge(1, groups);
    const merged = await session.findings(1);
    expect(merged.clusters).toHaveLength(5);
    const size = (cluster: number) => findings.clusters[cluster].size;
    expect(merged.clusters[0].size).toBe(size(0) + size(2));
    expect(merged.topics!.words).toHaveLength(5);
    expect(merged.clusters[1].distinctive).toEqual(findings.clusters[1].distinctive);

    const restored = await openWith({ ...base, vectors: "embedding" });
    await restored.session.restore(1, order, bytes, groups);
    const again = await restored.session.findings(1);
    expect(again.clusters.map(({ size, distinctive }) => [size, distinctive])).toEqual(
      merged.clusters.map(({ size, distinctive }) => [size, distinctive]),
    );
  });

  it("begin again where they were stopped, to the same topics", async () => {
    const { session } = await openWith({ ...base, vectors: "embedding" });
    const control = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    expect(await session.fit(1, order, control)).toEqual({ state: "stopped", info: null });
    control.fill(0);
    const { info } = await session.resume(1, order, control);
    await session.fit(2, order, null);
    expect(loadTopics(await session.save(2)).model.labels).toEqual(loadTopics(await session.save(1)).model.labels);
    expect(info!.labels).toHaveLength(60);
  });

  it("say what new texts need", async () => {
    const { session } = await openWith({ ...base, vectors: "embedding" });
    await session.fit(1, order, null);
    expect(await session.classify(1, { type: "text", text: "a match" })).toMatchObject({
      refused: expect.stringMatching(/by vectors.*bonmf predict/),
    });
    await expect(session.classifyFile(1, [item("new.csv", csv)])).rejects.toThrow(/by vectors/);
  });

  it("refuse vectors that are not theirs", async () => {
    const short = writeNpy(Dense.from([[1, 2]])) as BlobPart;
    await expect(openWith(base, item("short.npy", short))).rejects.toThrow(/1 vectors, but there are 60 documents/);
    const one = writeNpy(Dense.from(rows.map(() => [1]))) as BlobPart;
    await expect(openWith(base, item("one.npy", one))).rejects.toThrow(/which is no vector/);
    await expect(openWith(base, item("texts.csv", csv))).rejects.toThrow(/the vectors: /);
    await expect(openWith({ ...base, vectors: "nothing" })).rejects.toThrow(/no column of lists "nothing"/);
  });

  it("are another reading than words alone, and undoing it returns", async () => {
    const { session } = await openWith(base);
    await session.fit(1, { ...order, method: "bonmf" }, null);
    expect(await session.prepare({ ...base, vectors: "embedding" })).toMatchObject({ kept: false, vectorWeight: 0.5 });
    expect(await session.prepare({ ...base, vectors: "embedding", label: null })).toMatchObject({ kept: true });
    expect(await session.prepare({ ...base, vectors: "embedding", vectorWeight: 0.9 })).toMatchObject({ kept: false });
    expect(await session.prepare(base)).toMatchObject({ kept: false, vectorWeight: null });
  });
});
