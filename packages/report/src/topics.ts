import { type Model, type Topics, topicsOf } from "bonmf";
import type { TopicFindings } from "./findings.js";
import type { ReportData } from "./report-data.js";

/** Words that the slider can show of a topic at each of these places of it. */
const PLACES = [0, 0.2, 0.4, 0.6, 0.8, 1];
const EACH = 15;
/** More topics are too many for a table of all pairs. */
const MOST_PAIRS = 60;

/** Topics of documents, as a report shows them; null where samples are no counts of words. */
export function describeTopics(model: Model, data: ReportData): TopicFindings | null {
  const { dates } = data;
  const topics = data.told?.topics ?? tellWords(model, data);
  if (topics === null) return null;
  const time = dates?.some((date) => date !== null) ? topics.overTime(dates) : null;
  const k = topics.list.length;
  return {
    names: topics.list.map(({ name }) => name),
    npmi: topics.list.map(({ npmi }) => known(npmi)),
    cv: topics.coherence().map(known),
    diversity: topics.diversity,
    words: listWords(topics),
    similarity: k > MOST_PAIRS ? null : topics.list.map((_, j) => Array.from(topics.similarity.row(j))),
    time: time && {
      edges: time.edges,
      names: time.names,
      totals: time.totals,
      topics: time.topics.map(({ counts, words }) => ({
        counts,
        words: words.map((list) => list.map(({ word }) => word)),
      })),
    },
  };
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function tellWords(model: Model, { X, texts, clusterNames, groups }: ReportData): Topics | null {
  if (X.kind !== "sparse" || model.featureNames === null) return null;
  return topicsOf(
    model,
    { counts: X, vocabulary: model.featureNames, ...(texts && { documents: texts }) },
    { ...(clusterNames && { names: clusterNames }), ...(groups && { groups }) },
  );
}

/** Of each topic the words that some place of the slider shows, with what their relevance is computed from. */
function listWords({ list }: Topics): TopicFindings["words"] {
  return list.map((topic) => {
    const shares = new Map(topic.relevance(1, Number.MAX_SAFE_INTEGER).map(({ word, value }) => [word, value]));
    const lifts = new Map(topic.relevance(0, Number.MAX_SAFE_INTEGER).map(({ word, value }) => [word, value]));
    const shown = new Set(PLACES.flatMap((lambda) => topic.relevance(lambda, EACH).map(({ word }) => word)));
    return [...shown].map((word) => ({ word, share: shares.get(word)!, lift: lifts.get(word)! }));
  });
}
