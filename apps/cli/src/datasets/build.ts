import { createHash } from "node:crypto";
import { UserError } from "../errors.js";
import { buildCorpus } from "./corpus.js";
import type { Entry, Origin } from "./entry.js";
import { buildIdx, buildMat } from "./pictures.js";
import { buildLibsvm, buildRows } from "./rows.js";

/** Makes a dataset's file from its downloads. */
export function build(origin: Origin, parts: readonly Uint8Array[]): string {
  const decode = () => parts.map((part) => new TextDecoder().decode(part));
  switch (origin.form) {
    case "rows":
      return buildRows(decode(), origin);
    case "libsvm":
      return buildLibsvm(decode());
    case "idx":
      return buildIdx(parts, origin.columns);
    case "mat":
      return buildMat(parts[0], origin);
    default:
      return buildCorpus(decode(), origin);
  }
}

/** "content": the bytes match the catalogue. "shape": only the numbers of rows, features and classes match. */
export type Match = "content" | "shape";

/** @throws UserError if the shape is wrong */
export function verify(entry: Entry, text: string): Match {
  if (hashText(text) === entry.sha256) return "content";
  const found = measure(entry, text);
  const wanted = { rows: entry.rows, features: entry.features, classes: entry.classes };
  for (const name of ["rows", "features", "classes"] as const) {
    if (found[name] === wanted[name]) continue;
    throw new UserError(
      `${entry.path}: the download has ${found[name]} ${name} instead of ${wanted[name]}: its source has changed`,
      "please report it; until then put a copy of the file into the folder that BONMF_DATA_DIR names",
    );
  }
  return "shape";
}

export function hashText(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

function measure({ path, features }: Entry, text: string) {
  const lines = text.split("\n").slice(0, -1);
  if (path.endsWith(".txt.gz")) return { rows: lines.length, features: undefined, classes: undefined };
  if (path.endsWith(".svm.gz")) {
    const last = lines.reduce((most, line) => Math.max(most, Number(/ (\d+):\S+$/.exec(line)?.[1] ?? 0)), 0);
    // The last features may be absent from every sample.
    const width = last <= (features ?? 0) ? features : last;
    return { rows: lines.length, features: width, classes: new Set(lines.map((line) => line.split(" ", 1)[0])).size };
  }
  const rows = lines.slice(1);
  if (features === undefined) return { rows: rows.length, features, classes: undefined };
  const widths = new Set(rows.map((row) => row.split(",").length - 1));
  const classes = new Set(rows.map((row) => row.slice(row.lastIndexOf(",") + 1)));
  return { rows: rows.length, features: widths.size === 1 ? [...widths][0] : 0, classes: classes.size };
}
