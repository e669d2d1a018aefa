import { once } from "node:events";
import { createGzip } from "node:zlib";
import { type Draft, openDraft } from "./file.js";

const ENOUGH = 1 << 16;

/** A draft for many small pieces of text: buffers them, and compresses them if the name ends in .gz. */
export async function openText(path: string): Promise<Draft> {
  const draft = await openDraft(path);
  const sink = path.toLowerCase().endsWith(".gz") ? compress(draft) : draft;
  let pieces: string[] = [];
  let length = 0;
  const flush = async () => {
    const text = pieces.join("");
    pieces = [];
    length = 0;
    if (text.length > 0) await sink.write(text);
  };
  return {
    temporary: draft.temporary,
    async write(chunk) {
      if (typeof chunk === "string") {
        pieces.push(chunk);
        length += chunk.length;
        if (length > ENOUGH) await flush();
      } else {
        await flush();
        await sink.write(chunk);
      }
    },
    async commit() {
      await flush();
      await sink.commit();
    },
    discard: () => sink.discard(),
  };
}

function compress(draft: Draft): Draft {
  const gzip = createGzip();
  let ready: Uint8Array[] = [];
  gzip.on("data", (chunk: Uint8Array) => ready.push(chunk));
  const pass = async () => {
    const chunks = ready;
    ready = [];
    for (const chunk of chunks) await draft.write(chunk);
  };
  return {
    temporary: draft.temporary,
    async write(chunk) {
      await new Promise<void>((resolve, reject) => gzip.write(chunk, (error) => (error ? reject(error) : resolve())));
      await pass();
    },
    async commit() {
      const ended = once(gzip, "end");
      gzip.end();
      await ended;
      await pass();
      await draft.commit();
    },
    async discard() {
      gzip.destroy();
      await draft.discard();
    },
  };
}
