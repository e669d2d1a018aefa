// The build under test: this checkout's, or the one whose dist folder BONMF_BENCH_BUILD names.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.BONMF_BENCH_BUILD;
const address = folder ? pathToFileURL(resolve(folder, "bonmf.js")) : new URL("../dist/bonmf.js", import.meta.url);

export const { chooseK, classifier, Dense, fit, resume, Sparse } = await import(address);
