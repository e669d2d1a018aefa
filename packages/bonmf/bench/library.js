// The build under test: this checkout's, or the one whose dist folder BONMF_BENCH_BUILD names.
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const given = process.env.BONMF_BENCH_BUILD;
export const folder = given ? resolve(given) : fileURLToPath(new URL("../dist", import.meta.url));

export const { chooseK, classifier, Dense, fit, resume, Sparse } = await import(
  pathToFileURL(join(folder, "bonmf.js"))
);
