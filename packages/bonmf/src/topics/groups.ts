import { DataError, OptionError, quote } from "../errors.js";
import { encode, type Label } from "../measure/labels.js";
import { type Spans, spanCalendar, spanEvenly } from "./spans.js";
import type { TopicsState } from "./state.js";
import { tableOf } from "./tell.js";
import { type TopicWord, tell } from "./topic-words.js";

/** A topic within groups of documents. */
export interface GroupedTopic {
  readonly id: number;
  /** How many of its documents are in each group. */
  readonly counts: readonly number[];
  /** The words that tell the topic in each group, the best first. */
  readonly words: readonly (readonly TopicWord[])[];
}

/** Topics over time. */
export interface TopicsOverTime {
  /** b + 1 moments in milliseconds since 1970, rising: bin i is from the i-th to the next. */
  readonly edges: readonly number[];
  /** How each bin is called, by its beginning: "2024", "2024-03", "2024-03-05" or "2024-03-05 12:00". */
  readonly names: readonly string[];
  /** How many documents with words each bin has. */
  readonly totals: readonly number[];
  readonly topics: readonly GroupedTopic[];
  /** Documents without a date. */
  readonly undated: number;
}

/** Topics per class. */
export interface TopicsPerClass {
  readonly classes: readonly Label[];
  /** How many documents with words each class has. */
  readonly totals: readonly number[];
  readonly topics: readonly GroupedTopic[];
}

/** A moment, as a date, a text that a date can be read from, or milliseconds since 1970. */
export type Moments = ArrayLike<Date | string | number | null | undefined>;

/** Words of a group. */
const WORDS = 5;

export function groupByTime(state: TopicsState, dates: Moments, bins?: number): TopicsOverTime {
  if (bins !== undefined && (!Number.isInteger(bins) || bins < 1)) {
    throw new OptionError("bins", bins, `bins must be a whole number, 1 or more, not ${quote(bins)}`);
  }
  const n = checkLength(state, dates, "date");
  const times = Float64Array.from({ length: n }, (_, i) => readMoment(dates[i], i));
  const dated = times.filter((time) => !Number.isNaN(time));
  if (dated.length === 0) throw new DataError("dates", "no document has a date");
  const spans = bins === undefined ? spanCalendar(dated) : spanEvenly(dated, bins);
  const groupOf = Int32Array.from(times, (time) => findSpan(spans, time));
  return { ...spans, ...groupTopics(state, groupOf, spans.names.length), undated: n - dated.length };
}

/** −1 where there is no time. The last span holds its end. */
function findSpan({ edges, names }: Spans, time: number): number {
  if (Number.isNaN(time)) return -1;
  const next = edges.findIndex((edge) => edge > time);
  return next < 0 ? names.length - 1 : next - 1;
}

/** NaN where there is none. */
function readMoment(moment: Moments[number], i: number): number {
  if (moment === null || moment === undefined || moment === "") return Number.NaN;
  const time = moment instanceof Date ? moment.getTime() : typeof moment === "number" ? moment : Date.parse(moment);
  if (!Number.isNaN(time)) return time;
  const message = `the date of document ${i} is ${quote(moment)}: write dates as 2024-12-31, or as milliseconds since 1970`;
  throw new DataError("dates", message, { sample: i, value: moment });
}

export function groupByClass(state: TopicsState, labels: ArrayLike<Label>): TopicsPerClass {
  checkLength(state, labels, "label");
  const { names, codes } = encode(labels);
  return { classes: names, ...groupTopics(state, Int32Array.from(codes), names.length) };
}

function checkLength(state: TopicsState, list: ArrayLike<unknown>, what: string): number {
  const { samples } = state.model;
  if (list.length === samples) return samples;
  throw new DataError("length", `there are ${samples} documents but ${list.length} ${what}s: give one for each`);
}

/** @param groupOf the group of each document, −1 for none */
function groupTopics(
  state: TopicsState,
  groupOf: Int32Array,
  groups: number,
): { totals: number[]; topics: GroupedTopic[] } {
  const { model, topicOf, ids, measures, documents } = state;
  const k = ids.length;
  const counts = ids.map(() => new Array<number>(groups).fill(0));
  const totals = new Array<number>(groups).fill(0);
  const empty = new Set(measures.empty);
  const members: number[][] = Array.from({ length: k * groups }, () => []);
  for (let i = 0; i < groupOf.length; i++) {
    if (groupOf[i] < 0 || empty.has(i)) continue;
    const topic = topicOf[model.labels[i]];
    counts[topic][groupOf[i]]++;
    totals[groupOf[i]]++;
    if (documents) members[topic * groups + groupOf[i]].push(i);
  }
  const words = members.map((list) => tellMembers(state, list));
  return {
    totals,
    topics: ids.map((id, j) => ({ id, counts: counts[j], words: words.slice(j * groups, (j + 1) * groups) })),
  };
}

/** The words that tell some documents of a topic from all documents. */
function tellMembers(state: TopicsState, members: readonly number[]): TopicWord[] {
  if (state.documents === null || members.length === 0) return [];
  const { X } = state.documents;
  const { totals, lengths } = tableOf(state);
  const all = lengths.reduce((sum, each) => sum + each, 0);
  const sums = new Map<number, number>();
  let length = 0;
  for (const i of members) {
    X.each(i, (f) => {
      sums.set(f, (sums.get(f) ?? 0) + 1);
      length++;
    });
  }
  return [...sums]
    .map(([f, count]) => ({ word: state.words[f], value: tell(count, length, totals[f], all) }))
    .sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1))
    .slice(0, WORDS);
}
