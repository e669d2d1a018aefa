import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { WordRules } from "bonmf-data";
import type { Call, Option } from "../command.js";
import { UserError } from "../errors.js";

const group = "Words of texts";

/** The flags that say which words become features. */
export const WORD_OPTIONS: readonly Option[] = [
  {
    name: "max-words",
    value: "N",
    type: "integer",
    help: "Keep the N words found in most documents; default 20000",
    group,
  },
  { name: "language", value: "CODE", help: "The language of the texts, such as de; default: found from them", group },
  {
    name: "stop-words",
    value: "FILE",
    help: "Words to leave out, separated by spaces or lines, or none; +FILE: these beside the language's (default)",
    group,
  },
  { name: "ngrams", value: "1-N", help: "Phrases of up to N words that belong together are features too", group },
  {
    name: "stem",
    help: "Count words with the same stem as one, shown in its commonest form, where the language has a stemmer",
    group,
  },
  { name: "min-docs", value: "N", type: "integer", help: "Leave out words in fewer documents; default 2", group },
  {
    name: "max-share",
    value: "SHARE",
    help: "Leave out words in more than this share of documents; default 0.5",
    group,
  },
  {
    name: "vocabulary",
    value: "FILE",
    help: "Count these words alone, one a line; of LIBSVM or Matrix Market files, the names of the features",
    group,
  },
];

/** The values of WORD_OPTIONS; undefined where none is given. */
export function readWordRules({ options }: Pick<Call, "options">): WordRules | undefined {
  const rules: WordRules = {
    language: checkLanguage(options.string("language")),
    ...readStopWords(options.string("stop-words")),
    longest: readLongest(options.string("ngrams")),
    minDocuments: wholeNumber("min-docs", options.number("min-docs")),
    maxShare: readShare(options.string("max-share")),
    maxWords: wholeNumber("max-words", options.number("max-words")),
    stem: options.flag("stem") || undefined,
    vocabulary: readVocabulary(options.string("vocabulary")),
  };
  return Object.values(rules).some((rule) => rule !== undefined) ? rules : undefined;
}

function wholeNumber(flag: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value > 0)) return value;
  throw new UserError(`--${flag} must be a whole number above 0, not ${value}`);
}

function checkLanguage(code: string | undefined): string | undefined {
  if (code === undefined || /^[a-z]{2,3}$/.test(code)) return code;
  throw new UserError(`--language ${JSON.stringify(code)} is no code of a language`, "as in --language de");
}

function readLongest(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, longest] = /^(?:1-)?([1-5])$/.exec(text) ?? [];
  if (longest !== undefined) return Number(longest);
  const remedy = "as in --ngrams 1-3: from single words, which are always counted, to phrases of at most 5";
  throw new UserError(`--ngrams ${JSON.stringify(text)} is no range of lengths that begins with 1`, remedy);
}

function readShare(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text.trim() !== "" && share > 0 && share <= 1) return share;
  throw new UserError(`--max-share ${JSON.stringify(text)} is no share of the documents`, "as in 0.4 or 40%");
}

function readStopWords(path: string | undefined): Pick<WordRules, "stopWords" | "moreStopWords"> {
  if (path === undefined) return {};
  if (path === "none") return { stopWords: false };
  const more = path.startsWith("+");
  const lines = readLines("stop-words", more ? path.slice(1) : path);
  const words = lines.flatMap((line) => line.toLowerCase().split(/\s+/u));
  return more ? { moreStopWords: words } : { stopWords: words };
}

function readVocabulary(path: string | undefined): readonly string[] | undefined {
  if (path === undefined) return undefined;
  const words = readLines("vocabulary", path);
  const known = new Set<string>();
  for (const word of words) {
    if (known.has(word)) throw new UserError(`${path} has ${JSON.stringify(word)} twice`, "each line is another word");
    known.add(word);
  }
  return words;
}

function readLines(flag: string, path: string): string[] {
  let text: string;
  try {
    const bytes = readFileSync(path);
    text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`--${flag} ${path}: ${code === "ENOENT" ? "there is no such file" : message}`);
  }
  const lines = text
    .replace(/^\ufeff/u, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0) throw new UserError(`--${flag} ${path}: the file has no words`);
  return lines;
}
