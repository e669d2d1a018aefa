import { lazily, type TopicsState } from "./state.js";
import {
  likelyWords,
  nameTopics,
  relevantWords,
  type TopicWord,
  tabulateWords,
  tellingWords,
  type WordTable,
} from "./topic-words.js";

/** Words of a topic that are kept at hand. */
const WORDS = 20;

const tables = new WeakMap<Float64Array, WordTable>();

export function tableOf({ counts, ids, words }: Pick<TopicsState, "counts" | "ids" | "words">): WordTable {
  const known = tables.get(counts) ?? tabulateWords(counts, ids.length, words);
  tables.set(counts, known);
  return known;
}

/** The words of each topic. */
export interface TopicWords {
  readonly likely: readonly TopicWord[];
  readonly telling: readonly TopicWord[];
}

export function tellTopics(state: TopicsState): TopicWords[] {
  const table = tableOf(state);
  return state.ids.map((_, j) => {
    const likely = lazily(() => likelyWords(table, j, WORDS));
    return {
      get likely() {
        return likely();
      },
      telling: tellingWords(table, j, WORDS),
    };
  });
}

/** The names of topics: those given, others from their words. */
export function labelTopics(state: TopicsState, words: readonly TopicWords[] = tellTopics(state)): string[] {
  const lists = words.map(({ telling }) => telling.map(({ word }) => word));
  return nameTopics(lists, state.given);
}

export function rankByRelevance(state: TopicsState, j: number, lambda: number, most: number): TopicWord[] {
  return relevantWords(tableOf(state), j, lambda, most);
}
