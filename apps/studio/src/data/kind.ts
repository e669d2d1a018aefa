import type { Kind } from "./source.js";

const ENDINGS: readonly [RegExp, Kind][] = [
  [/\.(csv|tsv|tab|psv)$/, "csv"],
  [/\.(jsonl|ndjson|json)$/, "jsonl"],
  [/\.(parquet|pq)$/, "parquet"],
  [/\.(svm|libsvm|svmlight)$/, "libsvm"],
  [/\.arff$/, "arff"],
  [/\.npy$/, "npy"],
  [/\.mtx$/, "market"],
  [/\.(png|jpe?g|webp|gif|bmp|avif)$/, "images"],
];
const MARKS: readonly [mark: string, kind: Kind][] = [
  ["PAR1", "parquet"],
  ["\x93NUMPY", "npy"],
  ["%%MatrixMarket", "market"],
  ["\x89PNG\r\n", "images"],
  ["\xff\xd8\xff", "images"],
  ["GIF8", "images"],
];
/** What is met often and cannot be read here, with what to do. */
const STRANGERS: readonly [mark: string, what: string, remedy: string][] = [
  ["PK\x03\x04", "a zip archive or an Excel file", "unpack it, or save the sheet as CSV"],
  ["\xd0\xcf\x11\xe0", "an Excel file", "save the sheet as CSV"],
  ["ARROW1", "an Arrow file", "save it as Parquet: bonmf convert data.arrow data.parquet"],
  ["\x89HDF", "an HDF5 file", "save its array with numpy.save"],
  ["SQLite format 3", "a SQLite database", "export the table as CSV"],
  ["%PDF", "a PDF file", "save its text as .txt"],
];
const PAIRS = /^\s*[^\s:]+(\s+\d+:\S+)*\s*(#.*)?$/;

/** What a file holds: by its first bytes, else by its name, else by its first lines. */
export function detectKind(name: string, bytes: Uint8Array): Kind {
  if (bytes.length === 0) throw new Error(`${name} is empty`);
  const start = String.fromCharCode(...bytes.subarray(0, 32));
  for (const [mark, what, remedy] of STRANGERS) {
    if (start.startsWith(mark)) throw new Error(`${name} is ${what}, which the studio does not read: ${remedy}`);
  }
  const known = MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  const short = name.toLowerCase().replace(/\.gz$/, "");
  return known ?? ENDINGS.find(([ending]) => ending.test(short))?.[1] ?? guess(name, bytes);
}

function guess(name: string, bytes: Uint8Array): Kind {
  const head = bytes.subarray(0, 16_384);
  if (head.includes(0)) throw new Error(`${name} is not a file of a known kind`);
  const all = new TextDecoder().decode(head).split(/\r?\n/);
  const lines = (all.length > 1 ? all.slice(0, -1) : all).filter((line) => line.trim() !== "").slice(0, 50);
  if (lines.some((line) => /^\s*@(relation|attribute)\b/i.test(line))) return "arff";
  if (lines.some((line) => /\s\d+:\S/.test(line)) && lines.every((line) => PAIRS.test(line))) return "libsvm";
  if (/^\s*(\{\s*"|\[\s*\{)/.test(lines[0] ?? "")) return "jsonl";
  const even = [",", "\t", ";", "|"].some((mark) => {
    const counts = new Set(lines.map((line) => line.replace(/"[^"]*"/g, "").split(mark).length));
    return lines.length > 1 && counts.size === 1 && !counts.has(1);
  });
  return even ? "csv" : "text";
}
