// The server serves only its own page.
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { check } from "../../../scripts/checks.js";
import { equal, holds } from "./stage.js";

const LARGEST_VISIT = 500 * 1024;

export async function checkServer(url) {
  const { port, hash, origin } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get("open");
  const ask = (path, headers = {}, method = "GET") =>
    new Promise((resolve, reject) => {
      const sent = request({
        host: "127.0.0.1",
        port,
        path,
        method,
        headers: { host: `127.0.0.1:${port}`, ...headers },
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
        );
      });
      sent.end();
    });
  const status = async (...args) => (await ask(...args)).status;

  await check("other hosts, origins and sites get nothing", async () => {
    equal(await status("/", { host: "evil.example" }), 403, "another host");
    equal(await status(`/data/${token}/`, { origin: "http://evil.example" }), 403, "another origin");
    equal(await status(`/data/${token}/0`, { "sec-fetch-site": "cross-site" }), 403, "another site");
    equal(await status(`/data/${token}/`, { origin }), 200, "its own page");
    equal(await status("/", {}, "POST"), 405, "another method");
  });
  await check("data needs the token, and no path leads out", async () => {
    for (const path of [
      "/data/wrong/0",
      `/data/${token}x/0`,
      `/data/${token}/1`,
      `/data/${token}/../../package.json`,
      "/../package.json",
      "/%2e%2e/package.json",
      "/assets/../../package.json",
      "//etc/passwd",
    ]) {
      equal(await status(path), 404, path);
    }
    equal(await status(`/data/${token}/0`), 200, "the file");
  });
  await check("pages are isolated, so that threads work", async () => {
    const { headers } = await ask("/");
    equal(headers["cross-origin-opener-policy"], "same-origin", "opener policy");
    equal(headers["cross-origin-embedder-policy"], "require-corp", "embedder policy");
    equal(headers["cross-origin-resource-policy"], "same-origin", "resource policy");
  });
  await check("a first visit is small", async () => {
    const { body } = await ask("/");
    const files = [...String(body).matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    // The worker is started by the page at once.
    const scripts = await Promise.all(files.map(async (path) => String((await ask(path)).body)));
    const workers = scripts.flatMap((text) =>
      [...text.matchAll(/(worker-[\w-]+\.js)/g)].map(([, name]) => `/assets/${name}`),
    );
    let total = gzipSync(body).length;
    for (const path of new Set([...files, ...workers])) total += gzipSync((await ask(path)).body).length;
    console.log(`     ${Math.round(total / 1024)} KB compressed`);
    holds(files.length > 0 && workers.length > 0 && total < LARGEST_VISIT, `${total} bytes`);
  });
}
