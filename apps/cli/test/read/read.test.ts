import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Scratch } from "../../src/read/files/scratch.js";
import { readData, readParts } from "../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "./fixture.js";

const folder = makeFolder();
// A place of our own for temporary files, so that what is left behind can be seen.
const scratchPlace = join(folder.path, "scratch");
mkdirSync(scratchPlace);
vi.stubEnv("TMPDIR", scratchPlace);
afterAll(() => void vi.unstubAllEnvs());
const csv = "a,b,class\n1,2,x\n3,4,y\n5,6,x\n";

describe("sources", () => {
  it("are files, globs and folders of tables", async () => {
    const one = folder.put("t/1.csv", csv);
    folder.put("t/2.csv", csv);
    for (const [sources, samples] of [
      [[one], 3],
      [[`${folder.path}/t/*.csv`], 6],
      [[`${folder.path}/t`], 6],
      [[one, one], 6],
    ] as const) {
      const data = await readData(sources, { label: "class" });
      expect(data).toMatchObject({ kind: "csv", features: ["a", "b"] });
      expect(data.X.samples).toBe(samples);
    }
    const parts = [];
    for await (const { X } of readParts([`${folder.path}/t`], { label: "class" }, 4)) parts.push(X.samples);
    expect(parts).toEqual([4, 2]);
  });

  it("may be folders with papers beside the data", async () => {
    folder.put("p/README.txt", "About these tables.");
    folder.put("p/a.csv", csv);
    const data = await readData([`${folder.path}/p`], { label: "class" });
    expect(data).toMatchObject({ kind: "csv", notes: ["1 other file in the folder passed over"] });
  });

  it("may have brackets in their names", async () => {
    const path = folder.put("odd [1].csv", csv);
    expect((await readData([path], { label: "class" })).X.samples).toBe(3);
  });

  it("may be gzipped without saying so", async () => {
    const path = folder.put("packed", gzipSync(csv));
    expect((await readData([path], { label: "class" })).X.samples).toBe(3);
    const lines = folder.put("packed.json", gzipSync('{"a": 1}\n{"a": 2}\n'));
    expect(rowsOf((await readData([lines], {})).X)).toEqual([[1], [2]]);
  });

  it("may be pipes, whose errors call them by their name", async () => {
    const pipe = join(folder.path, "pipe");
    if (spawnSync("mkfifo", [pipe]).status !== 0) throw new Error("mkfifo is needed for this test");
    const write = (content: string) => {
      const child = spawn("sh", ["-c", 'printf "%s" "$1" > "$2"', "sh", content, pipe]);
      return new Promise((done) => child.on("close", done));
    };
    const [data] = await Promise.all([readData([pipe], { label: "class" }), write(csv)]);
    expect(data.X.samples).toBe(3);
    const [error] = await Promise.all([failure(readData([pipe], { strict: true })), write(csv)]);
    expect(error.message).toContain(pipe);
    expect(error.message).not.toContain(scratchPlace);
    expect(readdirSync(scratchPlace)).toEqual([]);
  });

  it("may be a query alone, or one about files", async () => {
    expect(rowsOf((await readData([], { sql: "select 1 as a, 2 as b" })).X)).toEqual([[1, 2]]);
    const path = folder.put("q.csv", csv);
    const data = await readData([path], { sql: "select a, b from data where class = 'x'" });
    expect(rowsOf(data.X)).toEqual([
      [1, 2],
      [5, 6],
    ]);
    const svm = folder.put("q.svm", "1 1:2\n");
    expect(await failure(readData([svm], { sql: "select 1" }))).toMatchObject({
      message: `--sql asks tables, but ${svm} is libsvm`,
    });
  });
});

describe("errors", () => {
  it("say what is not there, with the nearest names", async () => {
    folder.put("digits.csv", csv);
    const path = join(folder.path, "digit.csv");
    expect(await failure(readData([path], {}))).toMatchObject({
      name: "UserError",
      message: `${path}: there is no such file`,
      hint: "did you mean digits.csv?",
    });
    expect((await failure(readData([`${folder.path}/none-*.csv`], {}))).message).toMatch(/^no file is called /);
    expect((await failure(readData(["https://example.org/a.csv"], {}))).message).toMatch(/nothing is fetched/);
    expect(await failure(readData([], {}))).toMatchObject({ message: "there is no data to read" });
    expect((await failure(readData(["-", "-"], {}))).message).toMatch(/only once/);
  });

  it("tell empty files and folders, and kinds that do not go together", async () => {
    const empty = folder.put("empty.csv", "");
    expect(await failure(readData([empty], {}))).toMatchObject({ message: `${empty} is empty` });
    const noise = folder.put(
      "noise.csv",
      Uint8Array.from({ length: 5120 }, (_, i) => i % 256),
    );
    expect(await failure(readData([noise], {}))).toMatchObject({
      message: `${noise}: no rows and columns are found in it`,
      hint: expect.stringContaining("--kind"),
    });
    mkdirSync(join(folder.path, "bare"));
    expect((await failure(readData([join(folder.path, "bare")], {}))).message).toMatch(/is a folder without files$/);
    const svm = folder.put("mix.svm", "1 1:2\n");
    const table = folder.put("mix.csv", csv);
    expect(await failure(readData([svm, table], {}))).toMatchObject({
      message: `${svm} is libsvm but ${table} is csv: only files of one kind are read together`,
    });
    folder.put("both/a.txt", "words");
    folder.put("both/b.png", "picture");
    expect(await failure(readData([join(folder.path, "both")], {}))).toMatchObject({
      hint: "choose with --kind images or --kind text",
    });
    expect((await readData([join(folder.path, "both")], { kind: "text" })).ids).toEqual(["a.txt"]);
  });

  it("take a forced kind at its word", async () => {
    const path = folder.put("forced.csv", "red fish\nblue fish\n");
    expect((await readData([path], { kind: "text" })).features).toEqual(["blue", "red"]);
  });

  it("give way to the signal's reason, and leave nothing behind", async () => {
    const scratch = new Scratch();
    const stop = new AbortController();
    const endless = Readable.from(
      (async function* () {
        for (;;) {
          yield Buffer.alloc(1000);
          await new Promise((next) => setImmediate(next));
        }
      })(),
    );
    const keeping = scratch.keep(endless, "a stream", { signal: stop.signal });
    stop.abort(new Error("enough"));
    expect((await failure(keeping)).message).toBe("enough");
    await scratch.remove();
    expect(readdirSync(scratchPlace)).toEqual([]);
  });
});
