// Raw little-endian arrays beside a small JSON header, so that every contestant reads the same bytes without a parser.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Peers, data and results; nothing of it belongs in the tree. */
export const CACHE = join(tmpdir(), "bonmf-bench-peers");
/** Raise the number when a generator changes, so that all is made anew. */
export const DATA = join(CACHE, "data-4");

const TYPES = { f32: Float32Array, u32: Uint32Array, i32: Int32Array };

/** Writes "name.f32", the type being that of the array, and returns its path. */
export function writeArray(name, array) {
  mkdirSync(DATA, { recursive: true });
  const type = Object.keys(TYPES).find((key) => array instanceof TYPES[key]);
  const path = join(DATA, `${name}.${type}`);
  writeFileSync(path, new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return path;
}

/** A typed array of its own (not a view of a pooled buffer), by the ending of the path. */
export function readArray(path) {
  const Type = TYPES[path.split(".").at(-1)];
  const array = new Type(statSync(path).size / Type.BYTES_PER_ELEMENT);
  const bytes = new Uint8Array(array.buffer);
  const file = openSync(path);
  for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, Math.min(2 ** 30, bytes.length - at), null);
  closeSync(file);
  return array;
}

export function writeHeader(header) {
  writeFileSync(headerPath(header.name), JSON.stringify(header, null, 2));
}

/** The header of a set that lies in the cache, or null. */
export function readHeader(name) {
  if (!existsSync(headerPath(name))) return null;
  const header = JSON.parse(readFileSync(headerPath(name), "utf8"));
  return Object.values(header.files).every((path) => existsSync(path)) ? header : null;
}

function headerPath(name) {
  return join(DATA, `${name}.json`);
}
