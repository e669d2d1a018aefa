import { timingSafeEqual } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { UserError } from "../errors.js";
import { type Shared, serveShared } from "./share.js";

const TYPES = new Map(
  Object.entries({
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".wasm": "application/wasm",
  }),
);

/**
 * Pages need isolation for threads; no other page may read, frame or lead anywhere from here. The map's shaders are
 * compiled to functions, which is what "unsafe-eval" is for.
 */
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; " +
    "script-src 'self' blob: 'unsafe-eval'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export interface Serving {
  /** Ends in "/". */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves a folder and shared files, to this machine only. */
export async function openServer(folder: string, shared: Shared, port: number): Promise<Serving> {
  const pages = await listPages(folder);
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await listen(server, port);
  const { port: actual } = server.address() as { port: number };
  const hosts = [`127.0.0.1:${actual}`, `localhost:${actual}`];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (!isOwn(request, hosts)) return void response.writeHead(403).end("requests from other pages are refused\n");
    if (request.method !== "GET" && request.method !== "HEAD") return void response.writeHead(405).end();
    const path = (request.url ?? "/").replace(/[?#].*$/, "");
    const data = /^\/data\/([^/]*)\/(.*)$/.exec(path);
    if (data && isSame(data[1], shared.token)) return serveShared(data[2], shared, response);
    const file = pages.get(path === "/" ? "/index.html" : path);
    if (file === undefined) return void response.writeHead(404).end();
    response.setHeader("content-type", TYPES.get(extname(file)) ?? "application/octet-stream");
    response.end(await readFile(file));
  }

  return {
    address: `http://127.0.0.1:${actual}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Refuses requests from other sites, and DNS rebinding. */
function isOwn({ headers }: IncomingMessage, hosts: readonly string[]): boolean {
  if (!hosts.includes(headers.host ?? "")) return false;
  if (headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`)) return false;
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Only files in the folder can be requested. */
async function listPages(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join("/")}`, file]));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE" || error.code === "EACCES";
      reject(taken ? new UserError(`port ${port} cannot be used`, "choose another, or omit --port") : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}
