import { detectWide } from "./encoding.js";
import { UserError } from "./errors.js";
import type { Kind } from "./kinds.js";

const ENDINGS: readonly [RegExp, Kind][] = [
  [/\.(csv|tsv|tab|psv)$/, "csv"],
  [/\.(jsonl|ndjson|json)$/, "jsonl"],
  [/\.(parquet|pq)$/, "parquet"],
  [/\.(arrow|arrows|feather|ipc)$/, "arrow"],
  [/\.(xlsx|xlsm)$/, "xlsx"],
  [/\.(sqlite3?|db3?)$/, "sqlite"],
  [/\.(svm|libsvm|svmlight)$/, "libsvm"],
  [/\.arff$/, "arff"],
  [/\.mtx$/, "market"],
  // Pictures that have no mark below.
  [/\.(bmp|avif)$/, "images"],
];

/** What stands at a position of each kind of file, in Latin 1. */
const MARKS: readonly [at: number, mark: string, kind: Kind][] = [
  [0, "PAR1", "parquet"],
  [0, "SQLite format 3\0", "sqlite"],
  [0, "ARROW1", "arrow"],
  [0, "\xff\xff\xff\xff", "arrow"],
  [0, "\x93NUMPY", "npy"],
  // What Excel, pandas or LibreOffice put first.
  [30, "[Content_Types]", "xlsx"],
  [30, "_rels/", "xlsx"],
  [30, "docProps/", "xlsx"],
  [30, "xl/", "xlsx"],
  [0, "PK\x03\x04", "npz"],

  [0, "%%MatrixMarket", "market"],
  [0, "\x89PNG\r\n", "images"],
  [0, "\xff\xd8\xff", "images"],
  [0, "GIF8", "images"],
  [8, "WEBP", "images"],
  [0, "II*\0", "images"],
  [0, "MM\0*", "images"],
];

/** Files that are met often and cannot be read, with what to do. */
const REFUSED: readonly [at: number, mark: string, what: string, remedy: string][] = [
  [
    0,
    "\xd0\xcf\x11\xe0",
    "an Excel file of before 2007 or with a password",
    "save it as .xlsx without a password, or as CSV",
  ],
  [30, "mimetypeapplication/vnd.oasis", "an OpenDocument file", "save it as .xlsx or CSV"],
  [6, '\0\0{"', "a saved model", "the data comes after it, as in bonmf predict MODEL DATA"],
  [0, "\x89HDF", "an HDF5 file", "save its array with numpy.save"],
  [0, "\x80\x04", "a Python pickle", "save the array with numpy.save or the table as Parquet"],
  [0, "\x80\x05", "a Python pickle", "save the array with numpy.save or the table as Parquet"],
  [0, "BZh", "compressed with bzip2", "unpack it with bunzip2"],
  [0, "\xfd7zXZ", "compressed with xz", "unpack it with unxz"],
  [0, "%PDF", "a PDF file", "save its text as .txt"],
];

const PNM = /^P[2356][\s#]/;
const PICTURE = /\.(png|jpe?g|pgm|ppm|pnm|webp|gif|tiff?|bmp|avif)$/i;
const PROSE = /\.(txt|text)$/i;
const PAGE = /\.(md|markdown|rst|x?html?)$/i;

/** By its ending. */
export function isPicture(path: string): boolean {
  return PICTURE.test(path);
}

/** By its ending. */
export function isProse(path: string): boolean {
  return PROSE.test(path);
}

/** Whether a file is prose with marks, by its ending: beside data it may be about them. */
export function isPage(path: string): boolean {
  return PAGE.test(path);
}

/** Without the ending of its compression. */
function shorten(path: string): string {
  return path.toLowerCase().replace(/\.(gz|gzip|zst)$/, "");
}

/** The kind that a file's ending stands for; undefined where it stands for none. */
export function kindByName(path: string): Kind | undefined {
  const short = shorten(path);
  return ENDINGS.find(([ending]) => ending.test(short))?.[1];
}

/** How a file begins. */
export interface Head {
  /** What its user calls it. */
  readonly name: string;
  /** Where it is, if that is not its name. */
  readonly path?: string;
  /** Its first bytes, some ten thousand, unpacked where it is gzipped. */
  readonly bytes: Uint8Array;
  readonly gzip?: boolean;
}

/** Whether a file is a zip archive of other files, not one of the kinds that are archives themselves. */
export function isArchive({ name, path = name, bytes }: Head): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 256));
  const zip = start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06");
  if (!zip || /\.(npz|xlsx|xlsm)$/i.test(path)) return false;
  if (/^.{30}([^/]*\.npy|mimetypeapplication\/vnd\.oasis)/s.test(start)) return false;
  return !MARKS.some(([at, mark, kind]) => kind === "xlsx" && start.startsWith(mark, at));
}

/** What a file holds: by its first bytes, else by its name, else by its first lines. */
export function detectKind({ name, path = name, bytes, gzip = false }: Head): Kind {
  if (bytes.length === 0) throw new UserError(`${name} is empty`);
  const start = String.fromCharCode(...bytes.subarray(0, 64));
  for (const [at, mark, what, remedy] of REFUSED) {
    if (start.startsWith(mark, at)) throw new UserError(`${name} is ${what}, which is not read`, remedy);
  }
  const mark = PNM.test(start) ? "images" : MARKS.find(([at, mark]) => start.startsWith(mark, at))?.[2];
  if (mark === "npz" && isArchive({ name, path, bytes })) {
    throw new UserError(`${name} is a zip archive, which is not read inside another or with --kind`, "unpack it first");
  }
  const known = mark === "npz" && kindByName(path) === "xlsx" ? "xlsx" : mark;
  if (known && gzip && (known === "parquet" || known === "npz" || known === "xlsx")) {
    throw new UserError(`${name} is a gzipped ${known} file, which is not read`, "unpack it with gunzip");
  }
  const [, ending] = /\.(np[yz])$/.exec(shorten(path)) ?? [];
  if (!known && ending) throw refuseNumpy(name, ending, bytes);
  const byName = known ?? kindByName(path);
  if (byName) return byName;
  // What is packed with Zstandard cannot be looked into here.
  if (/\.zst$/i.test(path)) return "csv";
  const wide = detectWide(bytes);
  if (!wide && bytes.includes(0)) {
    throw new UserError(`${name} is not a file of a known kind`, "say what it is with --kind, as --kind csv");
  }
  return kindByLines(new TextDecoder(wide).decode(bytes)) ?? (/\.(data?|out)$/.test(shorten(path)) ? "csv" : "text");
}

/** NumPy's files always have their mark. */
function refuseNumpy(name: string, ending: string, bytes: Uint8Array): UserError {
  const first = Array.from(bytes.subarray(0, 8));
  const isText = first.every((byte) => (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9);
  const shown = isText
    ? JSON.stringify(String.fromCharCode(...first))
    : first.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return new UserError(
    `${name} is not an ${ending.toUpperCase()} file: its first bytes are ${shown}`,
    `write it with numpy.save${ending === "npz" ? "z" : ""}, or rename it if it is something else, as to .csv`,
  );
}

const PAIRS = /^\s*[^\s:]+(\s+(qid|\d+):\S+)*\s*(#.*)?$/;

/** Goes by the first lines of a text; undefined where they could be anything. */
export function kindByLines(text: string): Kind | undefined {
  const all = text.replace(/^\ufeff/, "").split(/\r?\n/);
  // The last line may be cut off.
  const lines = (all.length > 1 ? all.slice(0, -1) : all).filter((line) => line.trim() !== "").slice(0, 50);
  if (
    /^\s*@(relation|attribute)\b/im.test(
      lines
        .filter((line) => !line.startsWith("%"))
        .slice(0, 2)
        .join("\n"),
    )
  )
    return "arff";
  if (lines.some((line) => /\s\d+:\S/.test(line)) && lines.every((line) => PAIRS.test(line))) return "libsvm";
  if (/^\s*(\{\s*"|\[\s*\{)/.test(lines[0] ?? "")) return "jsonl";
  if (lines.every((line) => /^[\s\d.,;+|eE-]+$/.test(line))) return "csv";
  // The semicolon of &nbsp; parts nothing.
  const bare = lines.map((line) => line.replace(/"[^"]*"/g, "").replace(/&(?:[a-z]+|#x?[\da-f]+);/gi, "&"));
  const even = [",", "\t", ";", "|"].some((mark) => {
    const rows = bare.map((line) => line.split(mark));
    const counts = new Set(rows.map((cells) => cells.length));
    if (lines.length < 2 || counts.size > 1 || counts.has(1)) return false;
    return (mark !== "," && mark !== ";") || !areSentences(rows);
  });
  return even ? "csv" : undefined;
}

/** Words between two marks of a sentence, on average; names and places have fewer. */
const WORDS = 2;

/**
 * Lines that all have as many commas may still be sentences: these have a space after a comma (but for numbers such as 1,5),
 * several words between commas, and never the same place for numbers in every line but the first.
 */
function areSentences(rows: readonly (readonly string[])[]): boolean {
  let spaced = 0;
  let close = 0;
  for (const cells of rows) {
    for (let c = 1; c < cells.length; c++) {
      if (/^\s/.test(cells[c])) spaced++;
      else if (!(/^\d/.test(cells[c]) && /\d$/.test(cells[c - 1]))) close++;
    }
  }
  if (close > spaced) return false;
  const isNumber = (cell: string) => cell.trim() !== "" && Number.isFinite(Number(cell));
  const numbers = rows[0].some((_, c) => rows.slice(1).every((cells) => isNumber(cells[c]) || cells[c].trim() === ""));
  if (numbers) return false;
  const cells = rows.flat();
  const words = cells.reduce((sum, cell) => sum + (cell.match(/\S+/g)?.length ?? 0), 0);
  return words >= WORDS * cells.length;
}
