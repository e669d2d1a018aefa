// Fits on the GPU in a real browser, on its software adapter (SwiftShader), and compares them with the CPU's, bit for bit.
//
// PLAYWRIGHT_CORE: a folder whose node_modules holds playwright-core, which is no dependency of this repository.
// CHROMIUM_PATH:   the browser, when it is not on PATH.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../../../scripts/browser.js";
import { finishChecks, report } from "../../../scripts/checks.js";

const SOFTWARE = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];
const CASES = [
  ["bonmf", 1500, 20, 6, false],
  ["spherical", 1000, 9, 5, true],
  ["kmeans", 600, 33, 40, false],
];
const here = fileURLToPath(new URL(".", import.meta.url));
const FOLDERS = { bonmf: join(here, "../../bonmf/dist"), "bonmf-webgpu": join(here, "../dist") };

const complaints = [];
const server = createServer(serve).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const browser = await launch(SOFTWARE);
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => globalThis.compareHere !== undefined, undefined, { timeout: 30_000 });
  const name = await page.evaluate(() => globalThis.describeHere());
  report(`the browser has an adapter: ${name}`, name === null ? ["none"] : []);
  for (const [method, n, m, k, weighted] of CASES) {
    const said = await page.evaluate((args) => globalThis.compareHere(...args), [method, n, m, k, weighted]);
    report(`${method}, ${n} × ${m}, k ${k}${weighted ? ", weighted" : ""}`, said);
  }
} catch (error) {
  complaints.push(error.message);
} finally {
  await browser.close();
  server.close();
}
report("no errors in the browser's console", complaints);
finishChecks();

function serve(request, response) {
  const { pathname } = new URL(request.url, "http://127.0.0.1");
  const [, folder, ...rest] = pathname.split("/");
  const path = { "/": join(here, "page.html"), "/cases.js": join(here, "cases.js") }[pathname];
  const file = path ?? (Object.hasOwn(FOLDERS, folder) ? join(FOLDERS[folder], ...rest) : null);
  if (file === null || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": file.endsWith(".html") ? "text/html" : "text/javascript" });
  response.end(readFileSync(file));
}
