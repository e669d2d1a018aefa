import { DataError, OptionError, quote } from "../errors.js";
import { valuesOf } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import { Model } from "../model/model.js";
import type { WatchOptions } from "../model/options.js";
import { type Documents, measureTopics, type Proposal, sumWords, type TopicsState } from "./state.js";
import { labelTopics } from "./tell.js";

/** The place of a topic. */
export function findTopic({ ids }: Pick<TopicsState, "ids">, id: number): number {
  const place = ids.indexOf(id);
  if (place >= 0) return place;
  throw new OptionError("id", id, `there is no topic ${quote(id)}: choose one of ${ids.join(", ")}`);
}

export function needDocuments({ documents }: Pick<TopicsState, "documents">, what: string): Documents {
  if (documents) return documents;
  const remedy = "give them to loadTopics(bytes, { documents })";
  throw new DataError("no-documents", `${what} needs the documents, which the file does not hold: ${remedy}`);
}

/** The state with other topics of the same documents. Names of topics that stay, stay. */
function regroup(
  state: TopicsState,
  change: Pick<TopicsState, "model" | "topicOf" | "ids" | "given" | "nextId">,
): TopicsState {
  const { words } = state;
  const { model, topicOf, ids } = change;
  const documents = needDocuments(state, "this");
  const { counts, holders } = sumWords(documents.X, model.labels, topicOf, ids.length);
  const measures = measureTopics(model, topicOf, documents, words, counts);
  return { ...state, ...change, counts, holders, measures, choice: null, proposals: [] };
}

/** Several topics become one, which has the id of the largest, of equal ones the lowest, and its name if somebody gave it. */
export function mergeTopics(state: TopicsState, ids: readonly number[]): TopicsState {
  const places = [...new Set(ids)].sort((a, b) => a - b).map((id) => findTopic(state, id));
  if (places.length < 2) throw new OptionError("ids", ids, "at least two topics are needed to merge");
  const { sizes } = state.measures;
  const largest = places.reduce((best, place) => (sizes[place] > sizes[best] ? place : best));
  const gone = new Set(places.filter((place) => place !== largest));
  const stay = state.ids.map((_, j) => j).filter((j) => !gone.has(j));
  const names = labelTopics(state);
  return regroup(state, {
    model: state.model,
    topicOf: state.topicOf.map((j) => stay.indexOf(gone.has(j) ? largest : j)),
    ids: stay.map((j) => state.ids[j]),
    // The words of the others tell a merged topic too: its name is made anew, unless somebody gave it.
    given: stay.map((j) => (j === largest ? state.given[j] : names[j])),
    nextId: state.nextId,
  });
}

/** A topic becomes several: its clusters, if it was merged, else those of a fit of its documents. The largest keeps the id. */
export async function splitTopic(
  state: TopicsState,
  id: number,
  count: number,
  watch: WatchOptions,
): Promise<TopicsState> {
  const place = findTopic(state, id);
  const rows = [...state.topicOf.keys()].filter((row) => state.topicOf[row] === place);
  if (rows.length > 1) return unmerge(state, place, rows);
  const [row] = rows;
  const documents = needDocuments(state, "split");
  const seen = documents.vectors ?? documents.X;
  const members = [...state.model.labels.keys()].filter((i) => state.model.labels[i] === row);
  const { model } = state;
  const Z = model.prepare(seen.take(members));
  const { method, loss, seed } = model.settings;
  const parts = await fit(Z, { k: count, method, loss, seed, restarts: 3, init: "plusplus", ...watch });
  const m = model.W.features;
  const all = new Float64Array((model.k + count - 1) * m);
  all.set(model.W.data);
  // The largest part stays the topic it was.
  const order = [...parts.counts.keys()].sort((a, b) => parts.counts[b] - parts.counts[a] || a - b);
  order.forEach((part, at) => {
    all.set(parts.W.row(part), (at === 0 ? row : model.k + at - 1) * m);
  });
  const divided = relabel(model, all, seen);
  const names = labelTopics(state);
  const added = Array.from({ length: count - 1 }, (_, at) => at);
  return regroup(state, {
    model: divided,
    topicOf: Uint32Array.from([...state.topicOf, ...added.map((at) => state.ids.length + at)]),
    ids: [...state.ids, ...added.map((at) => state.nextId + at)],
    given: [...names.map((name, j) => (j === place ? state.given[j] : name)), ...added.map(() => null)],
    nextId: state.nextId + added.length,
  });
}

function unmerge(state: TopicsState, place: number, rows: readonly number[]): TopicsState {
  const { counts } = state.model;
  const sorted = [...rows].sort((a, b) => counts[b] - counts[a] || a - b);
  const names = labelTopics(state);
  const added = sorted.slice(1);
  const topicOf = state.topicOf.slice();
  added.forEach((row, at) => {
    topicOf[row] = state.ids.length + at;
  });
  return regroup(state, {
    model: state.model,
    topicOf,
    ids: [...state.ids, ...added.map((_, at) => state.nextId + at)],
    given: [...names.map((name, j) => (j === place ? state.given[j] : name)), ...added.map(() => null)],
    nextId: state.nextId + added.length,
  });
}

/** The documents that were proposed become a topic of their own. */
export function acceptProposal(state: TopicsState, proposal: Proposal): TopicsState {
  const documents = needDocuments(state, "accept");
  const { model } = state;
  const seen = documents.vectors ?? documents.X;
  const Z = model.prepare(seen.take(proposal.documents));
  const m = model.W.features;
  const mean = new Float64Array(m);
  for (let i = 0; i < Z.samples; i++) {
    Z.each(i, (f, value) => {
      mean[f] += value / Z.samples;
    });
  }
  const W = new Float64Array((model.k + 1) * m);
  W.set(model.W.data);
  W.set(mean, model.k * m);
  return regroup(state, {
    model: relabel(model, W, seen),
    topicOf: Uint32Array.from([...state.topicOf, state.ids.length]),
    ids: [...state.ids, state.nextId],
    given: [...labelTopics(state), null],
    nextId: state.nextId + 1,
  });
}

/** A model with other prototypes, and the labels they give. */
export function relabel(model: Model, W: Float64Array, X: Parameters<Model["predict"]>[0]): Model {
  const m = model.W.features;
  const k = W.length / m;
  const { counts: _, ...parts } = model;
  const settings = { ...model.settings, k };
  // The codes of the old prototypes are only needed until there are new ones.
  const codes = { ...model.codes, k };
  const draft = new Model({ ...parts, settings, W, codes, best: null });
  const labels = draft.predict(X);
  const H = draft.transform(X);
  const values = codes.form === "labels" ? null : Float64Array.from(valuesOf(H));
  const found = { form: codes.form, k, labels: codes.form === "real" ? null : labels, values };
  return new Model({ ...parts, settings, W, labels, codes: found, best: null });
}
