import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a file's address does; asked with the number of the request, from 0. */
export interface Behaviour {
  /** Closes the connection after so many bytes of an answer. */
  readonly dropAfter?: number;
  readonly status?: number;
  readonly ignoreRange?: boolean;
  readonly etag?: string;
  readonly silent?: boolean;
}

export interface Server {
  readonly url: string;
  /** Requests so far: the path and the range asked for. */
  readonly log: string[];
  serve(path: string, content: Uint8Array | string, behave?: (request: number) => Behaviour): void;
  close(): Promise<void>;
}

/** A server on this machine that serves files as a real one does, ranges included, and fails when it is told to. */
export async function startServer(): Promise<Server> {
  const files = new Map<string, { content: Buffer; behave: (request: number) => Behaviour; requests: number }>();
  const log: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
    log.push(`${path}${range ? ` from ${range[1]}` : ""}`);
    const file = files.get(path);
    if (!file) return response.writeHead(404).end("no such file");
    const { dropAfter, status, ignoreRange, etag = '"v1"', silent } = file.behave(file.requests++);
    if (silent) return undefined;
    if (status) return response.writeHead(status).end();
    const { content } = file;
    const same = request.headers["if-range"] === etag;
    const from = range && same && !ignoreRange ? Number(range[1]) : 0;
    if (from >= content.length && from > 0) {
      return response.writeHead(416, { "content-range": `bytes */${content.length}` }).end();
    }
    const headers: Record<string, string | number> = { etag, "content-length": content.length - from };
    if (from > 0) headers["content-range"] = `bytes ${from}-${content.length - 1}/${content.length}`;
    response.writeHead(from > 0 ? 206 : 200, headers);
    if (dropAfter === undefined) return response.end(content.subarray(from));
    return response.write(content.subarray(from, from + dropAfter), () => {
      // What has been sent must have been read, or it is lost with the connection.
      setTimeout(() => response.socket?.destroy(), 50);
    });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    serve: (path, content, behave = () => ({})) =>
      files.set(path, { content: Buffer.from(content), behave, requests: 0 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
