import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../errors.js";
import { explain } from "../write/file.js";

export interface DownloadOptions {
  /** The expected hash; `md5` where the publisher has no other. */
  readonly sha256?: string | undefined;
  readonly md5?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | null) => void) | undefined;
  /** Milliseconds before the second try, twice as many before each further one. */
  readonly pause?: number | undefined;
  /** Milliseconds without a byte after which a connection counts as dead. */
  readonly patience?: number | undefined;
}

const TRIES = 4;
// No network: a retry would not help.
const OFFLINE = ["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH"];

/** A failure after which a retry may succeed. */
class Interruption extends Error {}

/**
 * Downloads to `path`, where what has come stays for the next try, also of another run: a dropped connection costs
 * only what it lost. Tries are counted from the last byte of progress.
 */
export async function download(url: string, path: string, options: DownloadOptions = {}): Promise<void> {
  const { pause = 500, signal } = options;
  await mkdir(dirname(path), { recursive: true });
  for (let failures = 0, reached = 0; ; ) {
    try {
      await fetchRest(url, path, options);
      break;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Interruption)) throw explain(error, path);
      const size = await sizeOf(path);
      failures = size > reached ? 1 : failures + 1;
      reached = size;
      if (failures >= TRIES || OFFLINE.includes(codeOf(error))) throw describe(url, error);
      await sleep(pause * 2 ** (failures - 1), undefined, { signal });
    }
  }
  await check(url, path, options);
  await rm(markOf(path), { force: true });
}

/** One request for the missing part. */
async function fetchRest(url: string, path: string, options: DownloadOptions): Promise<void> {
  const { signal, onProgress, patience = 30_000 } = options;
  const mark = await readFile(markOf(path), "utf8").catch(() => "");
  // Without a mark the rest could be of another version of the file.
  const have = mark === "" ? 0 : await sizeOf(path);
  const rest = have > 0 && { range: `bytes=${have}-`, "if-range": mark };
  const headers = { "accept-encoding": "identity", ...rest };

  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), patience);
  const awake = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), patience);
  };
  try {
    const signals = signal ? [signal, stop.signal] : [stop.signal];
    const response = await fetch(url, { headers, signal: AbortSignal.any(signals) }).catch((error: unknown) => {
      throw new Interruption("no connection", { cause: error });
    });
    if (await isComplete(response, have)) return;
    const from = response.status === 206 ? have : 0;
    await writeFile(markOf(path), response.headers.get("etag") ?? response.headers.get("last-modified") ?? "");
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    const total = Number.isNaN(length) ? null : from + length;
    const file = await open(path, from > 0 ? "a" : "w");
    let done = from;
    try {
      for await (const chunk of readBody(response)) {
        awake();
        await file.writeFile(chunk);
        done += chunk.length;
        onProgress?.(done, total);
      }
    } finally {
      await file.close();
    }
    if (total !== null && done < total) throw new Interruption(`only ${done} of ${total} bytes came`);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks the status; true if nothing is missing. */
async function isComplete(response: Response, have: number): Promise<boolean> {
  const { status } = response;
  if (status === 200) return false;
  if (status === 206) {
    const range = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "");
    if (Number(range?.[1]) === have) return false;
  }
  await response.body?.cancel();
  // The file is complete; its hash is checked next.
  if (status === 416 && response.headers.get("content-range") === `bytes */${have}`) return true;
  if (status === 429 || status >= 500) throw new Interruption(`the server answers ${status}`);
  throw new UserError(
    `${response.url}: the server answers ${status}${response.statusText ? ` ${response.statusText}` : ""}`,
    status === 404 ? "the file has moved; please report it" : undefined,
  );
}

async function* readBody(response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk;
  } catch (error) {
    throw new Interruption("the connection was lost", { cause: error });
  }
}

/** Removes a file with a wrong hash, so that the next try starts again. */
async function check(url: string, path: string, options: DownloadOptions): Promise<void> {
  for (const algorithm of ["sha256", "md5"] as const) {
    const wanted = options[algorithm];
    if (wanted === undefined) continue;
    const hash = createHash(algorithm);
    await pipeline(createReadStream(path), hash);
    const found = hash.digest("hex");
    if (found === wanted) continue;
    await rm(path, { force: true });
    await rm(markOf(path), { force: true });
    throw new UserError(
      `${url}: the file is not the one expected: its ${algorithm} is ${found}, not ${wanted}`,
      "the download is damaged, or the source has changed; try again, and report it if the error remains",
    );
  }
}

function describe(url: string, error: Interruption): UserError {
  const code = codeOf(error);
  const proxy = process.env.HTTPS_PROXY || process.env.https_proxy;
  const hint = proxy
    ? "behind a proxy, set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer)"
    : "check the connection; offline, set BONMF_DATA_DIR to a folder that has the datasets";
  return new UserError(`cannot download from ${new URL(url).host}: ${error.message}${code && ` (${code})`}`, hint, {
    cause: error,
  });
}

/** The system's error code, which `fetch` wraps twice. */
function codeOf(error: Error): string {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return "";
}

/** The file beside it with the server's ETag or date. */
function markOf(path: string): string {
  return `${path}.mark`;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}
