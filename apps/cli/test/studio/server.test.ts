import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openServer, type Serving } from "../../src/studio/server.js";
import { makeFolder } from "../binary.js";

const folder = makeFolder();
let serving: Serving;
let port: string;

beforeAll(async () => {
  const pages = join(folder, "pages");
  mkdirSync(join(pages, "assets"), { recursive: true });
  writeFileSync(join(pages, "index.html"), "<title>page</title>");
  writeFileSync(join(pages, "assets/a.js"), "1;");
  const data = join(folder, "data.csv");
  writeFileSync(data, "x\n1\n");
  serving = await openServer(pages, { token: "secret", files: [{ path: data, name: "data.csv" }] }, 0);
  port = new URL(serving.address).port;
});
afterAll(() => serving.close());

function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number | undefined; body: string; type: string | undefined }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers: { host: `localhost:${port}`, ...headers } });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        body += part;
      });
      response.on("end", () => resolve({ status: response.statusCode, body, type: response.headers["content-type"] }));
    });
    sent.end();
  });
}

it("serves its pages", async () => {
  expect(await ask("/")).toMatchObject({ status: 200, body: "<title>page</title>", type: "text/html; charset=utf-8" });
  expect(await ask("/assets/a.js?v=1")).toMatchObject({ status: 200, body: "1;" });
  expect((await ask("/", {}, "POST")).status).toBe(405);
});

it("hands data over to those who know the token", async () => {
  expect(JSON.parse((await ask("/data/secret/")).body)).toEqual([{ url: "0", name: "data.csv", path: null }]);
  expect((await ask("/data/secret/0")).body).toBe("x\n1\n");
  for (const path of ["/data/secreT/0", "/data//0", "/data/secret/1", "/data/secret/-1", "/data/s%65cret/0"]) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

it.each(["/../data.csv", "/assets/../../data.csv", "/%2e%2e/data.csv", "/data/secret/..%2f..", "//data.csv"])(
  "finds nothing at %s",
  async (path) => expect((await ask(path)).status).toBe(404),
);

it.each([
  ["another host", { host: "evil.example" }],
  ["another port", { host: "127.0.0.1:1" }],
  ["another origin", { origin: "http://evil.example" }],
  ["no origin of its own", { origin: "null" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
])("refuses %s", async (_, headers) => {
  expect((await ask("/data/secret/0", headers)).status).toBe(403);
});

it("says when a port is taken", async () => {
  const again = openServer(join(folder, "pages"), { token: "t", files: [] }, Number(port));
  await expect(again).rejects.toThrow(`port ${port} cannot be used`);
});
