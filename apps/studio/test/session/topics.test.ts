import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { countWords, loadModel, loadTopics, topics } from "bonmf";
import { afterAll, describe, expect, it } from "vitest";
import type { Event, Order } from "../../src/session/protocol.js";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-studio-topics-"));
afterAll(() => rmSync(folder, { recursive: true }));
const main = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));
const run = (...args: string[]) => execFileSync(process.execPath, [main, ...args], { cwd: folder, encoding: "utf8" });
/** A command of a page, whose file names have no spaces. */
const repeat = (command: string) => run(...command.split(" ").slice(1), "--quiet");

const SUBJECTS = [
  "match team goal striker keeper referee season league coach stadium",
  "taxes minister election voters law party budget reform cabinet senate",
  "guitar concert singer album stage band melody rhythm chorus drummer",
].map((words) => words.split(" "));
const SHARED = "people year long new city plan world story place time".split(" ");

/** Texts of three subjects with many words in common, a copy, and one without any word that others have. */
function makeTexts(): readonly { body: string; kind: string }[] {
  let state = 7;
  const draw = (list: readonly string[]) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return list[Math.floor((state / 2 ** 31) * list.length)];
  };
  const texts = Array.from({ length: 150 }, (_, i) => {
    const own = SUBJECTS[i % 3];
    const words = Array.from({ length: 14 }, (_, w) =>
      draw(w % 3 === 0 ? own : w % 3 === 1 ? SHARED : SUBJECTS.flat()),
    );
    return {
      body: `${words.join(" ")} ${i % 4 === 0 ? "national park" : "elsewhere"} tells the story`,
      kind: `kind ${i % 3}`,
    };
  });
  return [...texts, texts[4], { body: "zyzzyva", kind: "kind 0" }];
}

const rows = makeTexts();
const csv = ["body,kind", ...rows.map(({ body, kind }) => `${body},${kind}`), ""].join("\n");
writeFileSync(join(folder, "news.csv"), csv);
const choice = { text: "body", label: "kind" };
const order: Order = { ...FIRST_ORDER, k: 4, seed: 3, pace: 0 };

async function open(events: Event[] = []) {
  const session = new LocalSession((event) => events.push(event));
  const { choice: first } = await session.open([{ name: "news.csv", blob: new Blob([csv]) }]);
  await session.prepare({ ...first, ...choice });
  return session;
}

/** The first run has the topics of a command, in the file too. @returns those of the command */
async function expectAlike(session: LocalSession, command: string) {
  repeat(command);
  const theirs = loadTopics(readFileSync(join(folder, "model.safetensors")));
  const ours = loadTopics(await session.save(1));
  expect(ours.model.labels).toEqual(theirs.model.labels);
  expect(ours.model.W.data).toEqual(theirs.model.W.data);
  expect(ours.list.map(({ name, telling }) => [name, telling])).toEqual(
    theirs.list.map(({ name, telling }) => [name, telling]),
  );
  expect(ours.model.tags.recipe).toBe(theirs.model.tags.recipe);
  expect(ours.model.settings).toEqual(theirs.model.settings);
  return theirs;
}

describe("topics of texts", () => {
  it("are as many as the command finds, in whatever order the texts come", async () => {
    const number = async (name: string) => {
      const session = new LocalSession(() => {});
      const { choice: first } = await session.open([{ name, blob: new Blob([readFileSync(join(folder, name))]) }]);
      await session.prepare({ ...first, ...choice });
      return session.choose(order, null);
    };
    const { k, reason, trials } = await number("news.csv");
    expect(reason).toMatch(/documents/);
    expect(trials.length).toBeGreaterThan(5);
    const [head, ...lines] = csv.trimEnd().split("\n");
    const shuffled = lines.map((_, i) => lines[(i * 7) % lines.length]);
    writeFileSync(join(folder, "shuffled.csv"), [head, ...shuffled, ""].join("\n"));
    expect(await number("shuffled.csv")).toMatchObject({ k, reason });
    for (const name of ["news.csv", "shuffled.csv"]) {
      const printed = run("topics", name, "--text", "body", "--label", "kind", "--seed", "3", "--json", "--quiet");
      expect(JSON.parse(printed)).toMatchObject({ k, reason });
    }
  });

  it.each([
    ["as it comes", {}],
    ["more starts", { restarts: 9 }],
    ["another method", { method: "spherical" }],
    ["parts that add up", { method: "nmf", k: 3 }],
  ] as const)("%s: those of the command that is shown", async (_, change) => {
    const session = await open();
    const asked = { ...order, ...change };
    expect(await session.chart(asked)).toMatchObject({ scale: "sqrt-tfidf", reason: expect.stringMatching(/topics/) });
    const { info } = await session.fit(1, asked, null);
    const { repeat: told } = await session.findings(1);
    expect(told.command).toMatch(/^bonmf topics news\.csv --k \d /);
    const theirs = await expectAlike(session, told.command!);
    expect(Array.from(info!.labels)).toEqual(Array.from(theirs.model.labels));
  });

  it("are those of the code that is shown", async () => {
    const session = await open();
    await session.fit(1, { ...order, restarts: 9 }, null);
    const { code } = (await session.findings(1)).repeat;
    expect(code).toMatch(/^import \{ topics \} from "bonmf";/);
    const options = /\{ counts, vocabulary \}, (\{[^}]*\})/.exec(code)![1];
    const ours = loadTopics(await session.save(1));
    const { X: counts } = countWords(
      rows.map(({ body }) => body),
      { vocabulary: ours.words },
    );
    const { list } = await topics(
      { counts, vocabulary: ours.words },
      JSON.parse(options.replace(/(\w+):/g, '"$1":').replace(/,\s*\}/, "}")),
    );
    expect(list.map(({ telling }) => telling)).toEqual(ours.list.map(({ telling }) => telling));
    expect(code).toContain("restarts: 9,");
  });

  it("of a table whose text nobody chose: the command names it", async () => {
    const session = new LocalSession(() => {});
    const { choice } = await session.openExample("notes");
    expect(choice).toEqual({});
    await session.prepare(choice);
    await session.fit(1, order, null);
    writeFileSync(join(folder, "notes.csv"), await session.table());
    const { command } = (await session.findings(1)).repeat;
    expect(command).toMatch(/^bonmf topics notes\.csv --k 4 --seed 3 --label category --text note /);
    await expectAlike(session, command!);
  });

  it("with phrases, and without words that were left out", async () => {
    const session = await open();
    const fewer = { ...choice, leaveOut: ["people", "goal"], longest: 2 };
    await session.prepare(fewer);
    await session.fit(1, order, null);
    const { command } = (await session.findings(1)).repeat;
    expect(command).toContain(" --stop-words +stop-words.txt --ngrams 1-2 ");
    writeFileSync(join(folder, "stop-words.txt"), "people\ngoal\n");
    const { words } = await expectAlike(session, command!);
    expect(words.some((word) => /people|goal/.test(word))).toBe(false);
    expect(words).toContain("national park");
    expect(await session.classify(1, { type: "text", text: "national park people" })).toMatchObject({
      known: 3,
      unknown: ["people"],
    });
    expect(await session.prepare({ ...fewer, longest: 1 })).toMatchObject({ kept: false });
  });

  it("of a folder of files", async () => {
    // As the command lists them.
    const items = [...rows.keys()]
      .sort((a, b) => (rows[a].kind < rows[b].kind ? -1 : rows[a].kind > rows[b].kind ? 1 : a - b))
      .map((i) => {
        const name = `${1000 + i}.txt`;
        return { name, path: `letters/${rows[i].kind.replace(" ", "")}/${name}`, blob: new Blob([rows[i].body]) };
      });
    for (const { path, blob } of items) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), await blob.text());
    }
    const session = new LocalSession(() => {});
    await session.prepare((await session.open(items)).choice);
    await session.fit(1, order, null);
    const { command } = (await session.findings(1)).repeat;
    expect(command).toMatch(/^bonmf topics letters --k 4 --seed 3 --out /);
    expect((await expectAlike(session, command!)).list).toHaveLength(4);
  });

  it("are watched while they are found, with the words of each", async () => {
    const events: Event[] = [];
    await (await open(events)).fit(1, order, null);
    const steps = events.flatMap((event) => (event.type === "step" ? [event.step] : []));
    expect(steps.map(({ iteration }) => iteration)).toEqual(steps.map((_, i) => i + 1));
    expect(steps[0].labels).toHaveLength(rows.length);
    const words = new Set([...SUBJECTS.flat(), ...SHARED]);
    expect(steps[0].snapshot!.words!.flat().every((word) => words.has(word))).toBe(true);
  });

  it("are not those of a fit whose scaling or beginning was chosen", async () => {
    const session = await open();
    for (const [id, change, flag] of [
      [1, { scale: "tfidf" }, "--scale tfidf"],
      [2, { init: "columns" }, "--init columns"],
      [3, { maxIterations: 3 }, "--max-iterations 3"],
    ] as const) {
      const asked = { ...order, ...change };
      expect(await session.chart(asked)).toMatchObject({ scale: "tfidf" });
      await session.fit(id, asked, null);
      const { command, code } = (await session.findings(id)).repeat;
      expect(command).toMatch(/^bonmf fit /);
      expect(command).toContain(flag);
      expect(code).toContain("await fit(X, {");
      repeat(command!);
      const theirs = loadModel(readFileSync(join(folder, "model.safetensors")));
      expect(loadModel(await session.save(id)).W.data).toEqual(theirs.W.data);
    }
  });

  it("begin again where they were stopped, to the same topics", async () => {
    const session = await open();
    const control = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    expect(await session.fit(1, order, control)).toEqual({ state: "stopped", info: null });
    control.fill(0);
    await session.resume(1, order, control);
    await session.fit(2, order, null);
    expect(loadModel(await session.save(1)).W.data).toEqual(loadModel(await session.save(2)).W.data);
    const early = session.fit(3, order, null);
    await session.stop();
    expect(await early).toEqual({ state: "stopped", info: null });
  });

  it("are there again from the file, merged or not, and beside other runs", async () => {
    const session = await open();
    await session.fit(1, order, null);
    await session.fit(2, { ...order, scale: "tfidf" }, null);
    const before = await session.findings(1);
    const bytes = await session.save(1);
    const groups = [0, 1, 0, 3];
    await session.merge(1, groups);
    const merged = await session.findings(1);
    expect(merged.clusters[0].size).toBe(before.clusters[0].size + before.clusters[2].size);
    const compared = await session.compare(1, 2);
    expect(compared.pairs).toHaveLength(4);

    const again = await open();
    const info = await again.restore(1, order, bytes, groups);
    expect(info.order).toEqual(order);
    const restored = await again.findings(1);
    expect(restored.clusters.map(({ size, distinctive }) => [size, distinctive])).toEqual(
      merged.clusters.map(({ size, distinctive }) => [size, distinctive]),
    );
    expect(restored.repeat).toEqual(merged.repeat);
    const query = { cluster: 1, label: null, text: "", sort: "typical", from: 0, count: 3 } as const;
    expect(await again.find(1, query)).toEqual(await session.find(1, query));
  });

  it("of a project from before the studio found topics stay a fit, with its command", async () => {
    const session = await open();
    await session.fit(1, { ...order, scale: "tfidf" }, null);
    const bytes = await session.save(1);
    const again = await open();
    const info = await again.restore(1, order, bytes, [0, 1, 2, 3]);
    expect(info.order.scale).toBe("tfidf");
    expect((await again.findings(1)).repeat.command).toMatch(/^bonmf fit .* --scale tfidf /);
  });

  it("are predicted by the command with the names and merges of a person", async () => {
    const session = await open();
    const { info } = await session.fit(1, order, null);
    const names = ["", "sport", "", ""];
    const predict = async () => {
      writeFileSync(join(folder, "named.safetensors"), await session.save(1, names));
      run("predict", "named.safetensors", "news.csv", "--out", "predicted.jsonl", "--quiet");
      const lines = readFileSync(join(folder, "predicted.jsonl"), "utf8").trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line));
    };
    // The last document has no words, and is in no topic.
    const last = info!.labels.length - 1;
    const named = await predict();
    expect(named.map(({ cluster }) => cluster)).toEqual(Array.from(info!.labels, (c, i) => (i === last ? null : c)));
    for (const { cluster, name } of named) expect(name === "sport").toBe(cluster === 1);
    expect(named[0].topic).not.toBeUndefined();
    const groups = [0, 1, 0, 3];
    await session.merge(1, groups);
    const merged = await predict();
    const joined = Array.from(info!.labels, (c, i) => (i === last ? null : groups[c]));
    expect(merged.map(({ cluster }) => cluster)).toEqual(joined);
    for (const { cluster, name } of merged) expect(name === "sport").toBe(cluster === 1);
  });

  it("classify new texts as the command does", async () => {
    const session = await open();
    await session.fit(1, order, null);
    const found = loadTopics(await session.save(1));
    const text = "the striker of the team in a match";
    expect(await session.classify(1, { type: "text", text })).toMatchObject({
      cluster: found.predict([text])[0].topic,
    });
    const file = { name: "new.csv", blob: new Blob([csv]) };
    const { clusters } = await session.classifyFile(1, [file]);
    expect(clusters.reduce((sum, { samples }) => sum + samples, 0)).toBe(rows.length);
  });
});
