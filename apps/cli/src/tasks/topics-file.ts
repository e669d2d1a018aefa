import type { Stem, TextList } from "bonmf";
import { percent, plural } from "../show/text.js";
import { showMeasure } from "./coherence.js";
import { type TopicFacts, topicsJson, wordsOf } from "./topics-report.js";

/** Typical documents of a topic that are shown. */
const MOST_TYPICAL = 3;

/** What is shown of the documents themselves. */
export interface ShownDocuments {
  /** Null where they are counted already. */
  readonly texts: TextList | null;
  readonly nameOf: (document: number) => string;
  readonly countedAs: Stem;
}

const quote = (text: string) => text.replaceAll(/[\\|<>*_`[\]]/g, "\\$&").replaceAll(/\s+/g, " ");

/** The topics as a file: CSV, JSON or Markdown by its name. */
export async function listTopics(facts: TopicFacts, shown: ShownDocuments, path: string): Promise<string> {
  if (/\.json$/i.test(path)) return `${JSON.stringify(topicsJson(facts), null, 2)}\n`;
  if (/\.md$/i.test(path)) return writeMarkdown(facts, shown);
  const rows = facts.found.list.map(({ id, name, size, telling, likely, npmi, typical }, j) => ({
    topic: id,
    name,
    size,
    share: size / facts.found.model.samples,
    npmi,
    cv: facts.coherence[j],
    telling: wordsOf(telling).join(", "),
    likely: wordsOf(likely).join(", "),
    typical: typical.join(" "),
  }));
  const names = ["topic", "name", "size", "share", "npmi", "cv", "telling", "likely", "typical"] as const;
  const cell = (value: string | number) => {
    const text = typeof value === "number" && Number.isNaN(value) ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(","));
  return `${[names.join(","), ...lines].join("\n")}\n`;
}

/** The topics as a page of text, with the words marked in their typical documents. */
async function writeMarkdown(facts: TopicFacts, shown: ShownDocuments): Promise<string> {
  const { found, coherence, source, overTime, perClass } = facts;
  const names = found.list.map(({ name }) => quote(name));
  const lines = [
    `# Topics of ${quote(source)}`,
    "",
    `${plural(found.model.samples, "document")}, ${plural(found.words.length, "word")}.`,
    "",
    "| topic | name | documents | share | C_V | telling words |",
    "|--:|---|--:|--:|--:|---|",
    ...found.list.map(
      ({ id, size, telling }, j) =>
        `| ${id} | ${names[j]} | ${size} | ${percent(size / found.model.samples)} | ${showMeasure(coherence[j])} | ` +
        `${quote(wordsOf(telling).join(", "))} |`,
    ),
  ];
  if (perClass) {
    const heads = perClass.classes.map((name) => quote(String(name)));
    const body = perClass.topics.map(({ counts }, j) => [names[j], ...counts]);
    lines.push(...writeTable("Documents of each class", ["topic", ...heads], body));
  }
  if (overTime) {
    const body = overTime.names.map((name, b) => [name, ...overTime.topics.map(({ counts }) => counts[b])]);
    lines.push(...writeTable("Documents over time", ["from", ...names], body));
  }
  if (shown.texts !== null) lines.push("", "## Typical documents", ...(await listTypical(facts, shown, shown.texts)));
  return `${lines.join("\n")}\n`;
}

function writeTable(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return ["", `## ${title}`, "", line(heads), `|---|${"--:|".repeat(heads.length - 1)}`, ...rows.map(line)];
}

async function listTypical({ found }: TopicFacts, shown: ShownDocuments, texts: TextList): Promise<string[]> {
  const { findPassage } = await import("bonmf-report");
  const { nameOf, countedAs } = shown;
  return found.list.flatMap(({ id, name, telling, typical }) => {
    const words = telling.map(({ word }) => word);
    const passages = typical.slice(0, MOST_TYPICAL).map((document) => {
      const pieces = findPassage(texts.at(document)!, words, { countedAs });
      const text = pieces.map((piece) => (piece.marked ? `**${quote(piece.text)}**` : quote(piece.text))).join("");
      return `- ${quote(nameOf(document))}: ${text}`;
    });
    return passages.length === 0 ? [] : ["", `### ${id} ${quote(name)}`, "", ...passages];
  });
}
