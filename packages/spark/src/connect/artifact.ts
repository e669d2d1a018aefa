import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { SparkError } from "./error.js";
import type { Link, LinkOptions } from "./link.js";
import { ADD, type AddArtifactsRequest } from "./messages.js";

/** What gRPC takes well in one message. */
const CHUNK = 32 << 10;

/** Sends bytes to the server under a name, in pieces, each with its checksum. */
export async function addArtifact(link: Link, name: string, bytes: Uint8Array, options: LinkOptions): Promise<void> {
  const { artifacts = [] } = await link.send(ADD, () => cut(name, bytes), options);
  const kept = artifacts.find((artifact) => artifact.name === name);
  if (kept?.isCrcSuccessful !== true)
    throw new SparkError("protocol", `${name} did not reach the server as it was sent`);
}

/** Sends bytes that the server keeps by their hash, which is returned. */
export async function cacheArtifact(link: Link, bytes: Uint8Array, options: LinkOptions): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  await addArtifact(link, `cache/${hash}`, bytes, options);
  return hash;
}

function* cut(name: string, bytes: Uint8Array): Generator<AddArtifactsRequest> {
  if (bytes.length <= CHUNK) return yield { batch: { artifacts: [{ name, data: seal(bytes) }] } };
  const numChunks = BigInt(Math.ceil(bytes.length / CHUNK));
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const chunk = seal(bytes.subarray(at, at + CHUNK));
    if (at > 0) yield { chunk };
    else yield { beginChunk: { name, totalBytes: BigInt(bytes.length), numChunks, initialChunk: chunk } };
  }
}

function seal(data: Uint8Array): { data: Uint8Array; crc: bigint } {
  return { data, crc: BigInt(crc32(data)) };
}
