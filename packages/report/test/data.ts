import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readCsv, readLibsvm, type Table } from "bonmf";

/** vitest.config.js names it. */
const folder = process.env.BONMF_DATA_DIR ?? "";

/** The samples of a file by its path below the datasets' folder; `vocabulary` names the words of counted texts. */
export function readSamples(path: string, vocabulary?: string): Table {
  const bytes = unpack(path);
  if (!vocabulary) return readCsv(bytes, { label: "class" });
  const featureNames = unpack(vocabulary).toString("utf8").trimEnd().split("\n");
  return { ...readLibsvm(bytes, { features: featureNames.length }), featureNames };
}

function unpack(path: string): Buffer {
  return gunzipSync(readFileSync(join(folder, path)));
}
