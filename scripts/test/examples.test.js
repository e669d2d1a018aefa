// Every program under examples/ runs, and prints what it should. The page in examples/browser is opened by docs/check.js.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../examples/express/server.js";
import { root } from "../packages.js";

const PROGRAMS = {
  "node/cluster.js": [
    /^18 drinks, 3 clusters after \d+ iterations$/m,
    /^sizes: \d+, \d+, \d+$/m,
    /^100 % agree with the kinds$/m,
    /^a new drink belongs to the cluster of coffee$/m,
  ],
  "text/topics.js": [
    /^12 texts × \d+ words, \d+ of \d+ values stored$/m,
    /^topic \d: .*\bmatch\b.*\(4 texts\)$/m,
    /^topic \d: .*\btaxes\b.*\(4 texts\)$/m,
    /^topic \d: .*\btelescope\b.*\(4 texts\)$/m,
    /^new texts belong to topics (\d) and (?!\1)\d$/m,
  ],
  "worker/main.js": [
    /^iteration 1: 20000 samples changed cluster$/m,
    /^done: clusters of 8000, 6000, 4000, 2000 samples$/m,
  ],
  "streaming/fit.js": [/^\d+ iterations over 12\.8 MB with 10 MB of memory$/m, /^predicted: (.*); fitted: \1$/m],
};

describe("a program of examples/", () => {
  it.each(Object.entries(PROGRAMS))("%s", (path, expected) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join("examples", path)], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    for (const pattern of expected) expect(stdout).toMatch(pattern);
  });

  it("is listed on their page and known to a check", () => {
    const folders = readdirSync(join(root, "examples"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const page = readFileSync(join(root, "examples/README.md"), "utf8");
    const known = [...Object.keys(PROGRAMS).map((path) => path.split("/")[0]), "express", "browser"];
    expect(folders.sort()).toEqual(known.sort());
    for (const folder of folders) expect(page).toContain(`[${folder}](${folder}/`);
  });
});

describe("the server of examples/express", () => {
  let server;
  beforeAll(async () => {
    const app = await createApp();
    server = await new Promise((resolve) => {
      const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
    });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  async function ask(body) {
    const url = `http://127.0.0.1:${server.address().port}/classify`;
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, answer: await response.json() };
  }

  it("classifies and says why", async () => {
    const { status, answer } = await ask({ text: "Your courier lost my parcel!" });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ class: "delivery", because: expect.stringContaining("parcel") });
    expect((await ask({ text: "I forgot my password" })).answer.class).toBe("login");
  });

  it("refuses what it does not know", async () => {
    expect((await ask({ text: "A penguin sings opera" })).answer).toMatchObject({ class: null, because: null });
  });

  it("answers a bad request with 400", async () => {
    expect(await ask({})).toMatchObject({ status: 400, answer: { error: expect.stringContaining("text") } });
  });
});
