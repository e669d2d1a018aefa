// Fits the same data in a real browser (the bundle, one thread or several) and in Node (the modules, one thread) and
// compares them bit for bit.
//
// PLAYWRIGHT_CORE: a folder whose node_modules holds playwright-core, which is no dependency of this repository.
// CHROMIUM_PATH:   the browser, when it is not on PATH.
// BONMF_DATA_DIR:  the datasets; generated ones without it.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { launch } from "../../../scripts/browser.js";
import { finishChecks, report } from "../../../scripts/checks.js";
import { provideTestData } from "../../../scripts/testdata.js";
import { DATASETS, failCase, fitCase, METHODS, topicsCase } from "./cases.js";

/** Pages by how they are served: only where they are cross-origin isolated do workers share in the fit. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const PAGES = {
  "/": ISOLATED,
  "/plain": {},
  "/strict": { ...ISOLATED, "content-security-policy": "worker-src 'none'" },
};
const DIGITS = "optdigits/optdigits.csv.gz";

const here = fileURLToPath(new URL(".", import.meta.url));
const dist = join(here, "../dist");
if (!existsSync(join(dist, "bonmf.min.js"))) throw new Error("there is no dist/bonmf.min.js: run npm run build first");
const bonmf = await import(new URL("../dist/bonmf.js", import.meta.url));

const datasets = Object.keys(DATASETS);
const { folder: dataDir } = provideTestData();
const digits = gunzipSync(readFileSync(join(dataDir, DIGITS))).toString("utf8");

const complaints = [];
const server = createServer(serve).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const browser = await launch();
try {
  const isolated = await openPage("/");
  for (const dataset of datasets) {
    for (const method of METHODS) {
      const expected = fitCase(bonmf, method, dataset, 1, digits);
      for (const threads of [1, 2, 3]) {
        const title = `${method} on ${dataset}, ${threads} ${threads === 1 ? "thread" : "threads"}`;
        await check(title, isolated.fit(method, dataset, threads), expected);
      }
    }
  }
  const topics = topicsCase(bonmf, 1);
  for (const threads of [1, 3]) await check(`topics, threads: ${threads}`, isolated.topics(threads), topics);
  await check("three threads are two workers and the page", isolated.workers(), "2");
  await check("an error keeps its name and message", isolated.fail(), failCase(bonmf));

  for (const path of ["/plain", "/strict"]) {
    const alone = await openPage(path);
    const expected = fitCase(bonmf, "bonmf", "dense", 1);
    await check(`${path}: three threads become one`, alone.fit("bonmf", "dense", 3), expected);
    await check(`${path}: without workers`, alone.workers(), "0");
  }
} catch (error) {
  complaints.push(error.message);
} finally {
  await browser.close();
  server.close();
}
report("no errors in the browser's console", complaints);
finishChecks();

/** Loads the page at a path, and speaks for it. */
async function openPage(path) {
  const page = await browser.newPage();
  // A page that forbids workers says so in its console whenever one is tried.
  page.on("console", (message) => {
    if (message.type() === "error" && path !== "/strict") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    const { errorText } = request.failure();
    // A worker was ended before it had loaded.
    if (errorText !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${errorText}`);
  });
  await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
  await page.waitForFunction(() => globalThis.failHere !== undefined, undefined, { timeout: 30_000 });
  return {
    fit(method, dataset, threads) {
      const url = dataset === "optdigits" ? "/digits.csv" : undefined;
      return page.evaluate((args) => globalThis.fitHere(...args), [method, dataset, threads, url]);
    },
    topics: (threads) => page.evaluate((count) => globalThis.topicsHere(count), threads),
    fail: () => page.evaluate(() => globalThis.failHere()),
    workers: async () => String(page.workers().length),
  };
}

async function check(title, there, here) {
  const results = await Promise.allSettled([there, here]);
  const errors = results.filter(({ status }) => status === "rejected").map(({ reason }) => reason.message);
  const [theirs, ours] = results.map(({ value }) => (typeof value === "string" ? { text: value } : (value ?? {})));
  const differing = Object.keys(ours).filter((key) => theirs[key] !== ours[key]);
  report(title, errors.length > 0 ? errors : differing.map((k) => `${k}: browser ${theirs[k]}, Node ${ours[k]}`));
}

function serve(request, response) {
  const { pathname } = new URL(request.url, "http://127.0.0.1");
  const files = { "/cases.js": [join(here, "cases.js"), "text/javascript"] };
  if (pathname in PAGES) files[pathname] = [join(here, "page.html"), "text/html"];
  if (/^\/dist\/[\w.-]+\.js$/.test(pathname)) files[pathname] = [join(dist, pathname.slice(6)), "text/javascript"];
  files["/digits.csv"] = [join(dataDir, DIGITS), "text/csv"];
  const [path, type] = files[pathname] ?? [];
  if (!path || !existsSync(path)) return response.writeHead(404).end();
  const packed = path.endsWith(".gz") ? { "content-encoding": "gzip" } : {};
  // Scripts carry the isolating headers too: a worker must be as isolated as its page.
  const headers = { "content-type": `${type}; charset=utf-8`, ...packed, ...(PAGES[pathname] ?? ISOLATED) };
  response.writeHead(200, headers).end(readFileSync(path));
}
