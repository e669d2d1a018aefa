import type { Topic, Topics, TopicsOverTime, TopicsPerClass } from "bonmf";
import type { Terminal } from "../command.js";
import { escapeControls } from "../show/escape.js";
import { type Column, clip, count, duration, percent, plural, table, widthOf, wrap } from "../show/text.js";
import { meanOf, showMeasure } from "./coherence.js";
import type { Scores } from "./fit-report.js";
import { describeGain, type Gain } from "./vectors-gain.js";

/** What is told of topics. */
export interface TopicFacts {
  readonly found: Topics;
  /** C_V of each topic. */
  readonly coherence: readonly number[];
  readonly overTime: TopicsOverTime | null;
  readonly perClass: TopicsPerClass | null;
  /** How the topics agree with the classes; null without classes. */
  readonly scores: Scores | null;
  /** What vectors bring; null without. */
  readonly gain: readonly Gain[] | null;
  readonly source: string;
  readonly seconds: number;
  /** Files that were written. */
  readonly targets: readonly string[];
}

const MOST_WORDS = 10;

/** What `bonmf topics --json` prints: a contract, described in docs/cli.md. */
export function topicsJson(facts: TopicFacts) {
  const { found, coherence, overTime, perClass, scores, gain, source, seconds, targets } = facts;
  const { model, choice } = found;
  return {
    source,
    method: model.method,
    loss: model.settings.loss,
    k: found.list.length,
    seed: model.seed,
    documents: model.samples,
    words: found.words.length,
    empty: found.empty,
    structure: choice?.structure ?? null,
    reason: choice?.reason ?? null,
    diversity: found.diversity,
    npmi: meanOf(found.list.map(({ npmi }) => npmi)),
    cv: meanOf(coherence),
    topics: found.list.map(({ id, name, size, likely, telling, npmi, typical, neighbours }, j) => ({
      ...{ id, name, size, share: size / model.samples, npmi, cv: coherence[j] },
      ...{ likely, telling, typical, neighbours },
    })),
    similarity: found.list.map((_, j) => [...found.similarity.row(j)]),
    hierarchy: found.hierarchy().joinings,
    overTime,
    perClass,
    scores,
    gain,
    seconds,
    files: targets,
  };
}

/** The table that is printed, and what stands around it. */
export function describeTopics(facts: TopicFacts, terminal: Terminal): string {
  const { found, coherence, scores, seconds, targets } = facts;
  const { model, choice } = found;
  const { style, width } = terminal;
  const parts: string[] = [];
  if (choice) {
    const head = choice.structure === false ? "" : `k = ${choice.k} was chosen. `;
    parts.push(wrap(`${head}${choice.reason}`, width).join("\n"));
  }
  parts.push(tabulate(facts, terminal));
  const npmi = meanOf(found.list.map((topic) => topic.npmi));
  const measured = [
    `coherence NPMI ${showMeasure(npmi)}, C_V ${showMeasure(meanOf(coherence))}`,
    `diversity ${percent(found.diversity)}`,
  ];
  parts.push(measured.join("   "));
  if (scores) {
    const { labelAccuracy, nmi } = scores;
    parts.push(`classes: label accuracy ${percent(labelAccuracy ?? Number.NaN)}   NMI ${showMeasure(nmi)}`);
  }
  if (facts.gain) parts.push(describeGain(facts.gain, style));
  if (facts.overTime) parts.push(describeTime(facts, terminal));
  const read = `${plural(model.samples, "document")}, ${plural(found.words.length, "word")}`;
  const without = found.empty > 0 ? `, ${count(found.empty)} without any of the words, in no topic` : "";
  parts.push(style.dim(`${read}${without}   ${model.method}, seed ${model.seed}   ${duration(seconds)}`));
  for (const path of targets) parts.push(`written to ${style.accent(path)}`);
  return parts.join("\n\n").replaceAll(/\n\n(?=written to)/g, "\n");
}

function tabulate({ found, coherence }: TopicFacts, { style, width }: Terminal): string {
  const columns: Column[] = [
    { title: "topic", right: true },
    { title: "size", right: true },
    { title: "share", right: true },
    { title: "C_V", right: true },
    { title: "name" },
    { title: "further telling words" },
  ];
  const names = found.list.map(({ name }) => clip(escapeControls(name), 32));
  // Five columns with two blanks after each.
  const used = Math.max(...names.map(widthOf), 4) + "topic  12,345  12.3 %  0.12    ".length;
  const rows = found.list.map(({ id, name, size, telling }, j) => [
    String(id),
    count(size),
    percent(size / found.model.samples),
    showMeasure(coherence[j]),
    names[j],
    joinWords(
      wordsOf(telling).filter((word) => !name.split(", ").includes(word)),
      Math.max(20, width - used),
    ),
  ]);
  return table(columns, rows, style);
}

/** As many whole words as fit. */
function joinWords(words: readonly string[], room: number): string {
  let text = "";
  for (const word of words.map(escapeControls)) {
    const longer = text === "" ? word : `${text}, ${word}`;
    if (widthOf(longer) > room) break;
    text = longer;
  }
  return text === "" ? clip(escapeControls(words[0] ?? "–"), room) : text;
}

export function wordsOf(words: Topic["telling"]): string[] {
  return words.slice(0, MOST_WORDS).map(({ word }) => word);
}

const BLOCKS = " ▁▂▃▄▅▆▇█";

/** A small chart of each topic's share of the documents. */
function describeTime({ overTime, found }: TopicFacts, { style }: Terminal): string {
  const { names, totals, topics, undated } = overTime!;
  const rows = topics.map(({ id, counts }, j) => {
    const shares = counts.map((size, b) => (totals[b] > 0 ? size / totals[b] : 0));
    const most = Math.max(...shares, 1e-9);
    const line = shares.map((share) => BLOCKS[Math.round((share / most) * (BLOCKS.length - 1))]).join("");
    return [String(id), clip(escapeControls(found.list[j].name), 32), line, percent(most)];
  });
  const columns = [{ title: "topic", right: true }, { title: "name" }, { title: "share over time" }, { title: "most" }];
  const missing = undated > 0 ? `; ${plural(undated, "document")} without a date` : "";
  return `${table(columns, rows, style)}\n${names[0]} to ${names[names.length - 1]}${missing}`;
}
