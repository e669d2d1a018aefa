// Serves the built site on this machine: node docs/serve.js [PORT]. For looking at it, and for docs/check.js.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const DIST = fileURLToPath(new URL(".vitepress/dist", import.meta.url));
export const BASE = "/bonmf/";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

/** @returns the address of the site, and how to end it */
export async function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/") return response.writeHead(302, { location: BASE }).end();
    const path = normalize(decodeURIComponent(pathname)).replaceAll("\\", "/");
    const found = path.startsWith(BASE) ? await find(path.slice(BASE.length)) : undefined;
    const { file, body } = found ?? { file: "404.html", body: await readFile(join(DIST, "404.html")) };
    response.writeHead(found ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}${BASE}`, close: () => server.close() };
}

/** As static hosts do: the file, the page without its ending, the index of a folder. */
async function find(path) {
  for (const file of [path, `${path}.html`, `${path}/index.html`, "index.html".repeat(path === "" ? 1 : 0)]) {
    const body = file && (await readFile(join(DIST, file)).catch(() => undefined));
    if (body) return { file, body };
  }
  return undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await serve(Number(process.argv[2] ?? 8080));
  console.log(`${url}  Ctrl-C ends it`);
}
