// The latest result of every row, so that a run of some rows can still write all of them.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE } from "../data/files.js";
import { ROWS } from "../rows.js";

const PATH = join(CACHE, "results.json");
const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** What tells one build of the library from another. */
export function hashBuild() {
  const hash = createHash("sha256");
  const files = readdirSync(DIST, { recursive: true }).filter((path) => /\.(js|wasm)$/.test(path));
  for (const path of files.sort()) hash.update(readFileSync(join(DIST, path)));
  return hash.digest("hex");
}

/** Adds results to the earlier ones and returns all, in the order of the rows; those of another build are `stale`. */
export function keepResults(results, build) {
  const known = existsSync(PATH) ? JSON.parse(readFileSync(PATH, "utf8")) : {};
  for (const result of results) known[result.id] = { ...result, build };
  writeFileSync(PATH, JSON.stringify(known));
  return ROWS.flatMap(({ id }) => (known[id] ? { ...known[id], stale: known[id].build !== build } : []));
}
