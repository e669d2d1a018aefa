import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { download } from "../../src/datasets/download.js";
import { UserError } from "../../src/errors.js";
import { type Server, startServer } from "./server.js";

const content = randomBytes(300_000);
const sha256 = createHash("sha256").update(content).digest("hex");
const pause = 1;

let folder: string;
let path: string;
let server: Server;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonmf-download-"));
  path = join(folder, "deep", "file");
  server = await startServer();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function expectWhole(): Promise<void> {
  expect((await readFile(path)).equals(content)).toBe(true);
  expect(await readdir(join(folder, "deep"))).toEqual(["file"]);
}

describe("download", () => {
  it("fetches, checks and reports", async () => {
    server.serve("/a", content);
    const seen: [number, number | null][] = [];
    await download(`${server.url}/a`, path, { sha256, onProgress: (...at) => seen.push(at) });
    await expectWhole();
    expect(seen.at(-1)).toEqual([300_000, 300_000]);
  });

  it("goes on where a dropped connection ended, as often as it gets further", async () => {
    server.serve("/a", content, () => ({ dropAfter: 40_000 }));
    await download(`${server.url}/a`, path, { sha256, pause });
    await expectWhole();
    expect(server.log.length).toBeGreaterThan(5);
    expect(server.log[1]).toMatch(/^\/a from [1-9]/);
  });

  it("goes on in another run", async () => {
    server.serve("/a", content, (request) => (request === 0 ? { dropAfter: 100_000 } : { status: 503 }));
    await expect(download(`${server.url}/a`, path, { sha256, pause })).rejects.toThrow("the server answers 503");
    server.serve("/a", content);
    server.log.length = 0;
    await download(`${server.url}/a`, path, { sha256, pause });
    await expectWhole();
    expect(server.log).toHaveLength(1);
    expect(server.log[0]).toMatch(/from [1-9]/);
  });

  it("begins anew when the file has changed meanwhile", async () => {
    server.serve("/a", randomBytes(300_000), (request) => (request === 0 ? { dropAfter: 100_000 } : { status: 500 }));
    await expect(download(`${server.url}/a`, path, { pause })).rejects.toThrow(UserError);
    server.serve("/a", content, () => ({ etag: '"v2"' }));
    await download(`${server.url}/a`, path, { sha256, pause });
    await expectWhole();
  });

  it("begins anew at servers without ranges", async () => {
    server.serve("/a", content, (request) => ({ ignoreRange: true, ...(request === 0 && { dropAfter: 9999 }) }));
    await download(`${server.url}/a`, path, { sha256, pause });
    await expectWhole();
  });

  it("waits out a server that is busy", async () => {
    server.serve("/a", content, (request) => (request < 3 ? { status: 503 } : {}));
    await download(`${server.url}/a`, path, { sha256, pause });
    await expectWhole();
  });

  it("gives up a server that says nothing", async () => {
    server.serve("/a", content, () => ({ silent: true }));
    await expect(download(`${server.url}/a`, path, { pause, patience: 20 })).rejects.toThrow(
      /cannot download from 127/,
    );
    expect(server.log).toHaveLength(4);
  });

  it("removes a file that is not the one expected", async () => {
    server.serve("/a", "something else");
    await expect(download(`${server.url}/a`, path, { sha256 })).rejects.toThrow(
      `the file is not the one expected: its sha256 is ${createHash("sha256").update("something else").digest("hex")}`,
    );
    expect(await readdir(join(folder, "deep"))).toEqual([]);
    server.serve("/a", content);
    await expect(download(`${server.url}/a`, path, { md5: "0".repeat(32) })).rejects.toThrow("its md5 is");
  });

  it("does not try again what is not there", async () => {
    await expect(download(`${server.url}/a`, path)).rejects.toThrow(
      `${server.url}/a: the server answers 404 Not Found`,
    );
    expect(server.log).toHaveLength(1);
  });

  it("tells of no network and of no server", async () => {
    await expect(download("http://nowhere.invalid/a", path)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^cannot download from nowhere\.invalid: no connection \((ENOTFOUND|EAI_AGAIN)\)$/,
      ),
      hint: expect.stringContaining("BONMF_DATA_DIR"),
    });
    await server.close();
    await expect(download(`${server.url}/a`, path, { pause })).rejects.toThrow("no connection (ECONNREFUSED)");
  });

  it("stops at once when it is told to, and keeps what came", async () => {
    server.serve("/a", content);
    const stop = new AbortController();
    const onProgress = () => stop.abort(new UserError("interrupted"));
    await expect(download(`${server.url}/a`, path, { signal: stop.signal, onProgress })).rejects.toThrow("interrupted");
    server.log.length = 0;
    await download(`${server.url}/a`, path, { sha256 });
    expect(server.log[0]).toMatch(/from [1-9]/);
    await expectWhole();
  });
});
