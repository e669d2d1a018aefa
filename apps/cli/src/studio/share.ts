import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import type { FoundFile } from "../read/files/sources.js";

/** Files of the user, for requests with the token. */
export interface Shared {
  readonly token: string;
  readonly files: readonly FoundFile[];
}

/**
 * Answers /data/TOKEN/ with a list and /data/TOKEN/N with a file of it. Files go by their place in the list alone, so
 * no path can be asked for.
 */
export async function serveShared(rest: string, { files }: Shared, response: ServerResponse): Promise<void> {
  if (rest === "") {
    const list = files.map(({ path, inside }, i) => ({ url: String(i), name: basename(path), path: inside ?? null }));
    response.setHeader("content-type", "application/json").end(JSON.stringify(list));
    return;
  }
  const file = /^\d{1,7}$/.test(rest) ? files[Number(rest)] : undefined;
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const { size } = await stat(file.path);
  response.setHeader("content-type", "application/octet-stream").setHeader("content-length", size);
  await pipeline(createReadStream(file.path), response);
}
