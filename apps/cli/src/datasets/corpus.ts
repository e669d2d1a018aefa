import type { Origin } from "./entry.js";

type Corpus = Extract<Origin, { corpus: string }>;

interface Document {
  readonly words: readonly string[];
  readonly label: string;
}

/** A corpus as its documents, its vocabulary (sorted) or its counts of words; labels are then numbers by name. */
export function buildCorpus(parts: readonly string[], { form, corpus }: Corpus): string {
  const documents = corpus === "octis" ? readOctis(parts[0]) : readTextGcn(parts);
  if (form === "documents") {
    return ["text,class\n", ...documents.map(({ words, label }) => `${words.join(" ")},${label}\n`)].join("");
  }
  const vocabulary = [...new Set(documents.flatMap(({ words }) => words))].sort();
  if (form === "vocabulary") return vocabulary.map((word) => `${word}\n`).join("");
  const places = new Map(vocabulary.map((word, i) => [word, i + 1]));
  const labels = [...new Set(documents.map(({ label }) => label))].sort();
  return documents.map((document) => countLine(document, places, labels)).join("");
}

function countLine({ words, label }: Document, places: ReadonlyMap<string, number>, labels: readonly string[]): string {
  const counts = new Map<number, number>();
  for (const word of words) {
    const place = places.get(word)!;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const pairs = [...counts].sort(([a], [b]) => a - b).map(([place, n]) => `${place}:${n}`);
  return `${[labels.indexOf(label), ...pairs].join(" ")}\n`;
}

/** Text, part and class, with tabs between. */
function readOctis(text: string): Document[] {
  return splitLines(text).map((line) => {
    const [words, , label] = line.split("\t");
    return { words: splitWords(words), label };
  });
}

/** Of the cleaned text, the words of two letters or more that at least five documents have. */
function readTextGcn([index, texts]: readonly string[]): Document[] {
  const labels = splitLines(index).map((line) => line.split("\t")[2]);
  const documents = splitLines(texts).map((line) => splitWords(line).filter((word) => /^[a-z]{2,}$/.test(word)));
  const found = new Map<string, number>();
  for (const words of documents) for (const word of new Set(words)) found.set(word, (found.get(word) ?? 0) + 1);
  return documents.map((words, i) => ({ words: words.filter((word) => found.get(word)! >= 5), label: labels[i] }));
}

function splitLines(text: string): string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function splitWords(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
}
