/** The topics file: a model file with the words of its topics. docs/model-file.md describes every field. */
import { BonmfError, FormatError, OptionError, quote } from "../errors.js";
import { packModel, unpackModel } from "../model/model-file.js";
import type { Tags } from "../model/options.js";
import { encodeTensors } from "../model/safetensors.js";
import {
  AMOUNT,
  asFields,
  type Fields,
  parseFields,
  type Range,
  readFloats,
  readNumber,
  type Tensors,
  UNSIGNED,
  viewTensor,
  whole,
  within,
} from "../model/stored-fields.js";
import type { Stem } from "../text/stems.js";
import type { CountOptions } from "../text/word-counts.js";
import { isOnVectors, seeDocuments } from "./blend.js";
import { countKnown, type DocumentInput } from "./corpus.js";
import { type Blend, QUANTILES, type TopicsState } from "./state.js";
import { Topics } from "./topics.js";

const PLACE = "topics";
const COSINE: Range = { words: "a number of −1 … 1", holds: (value) => Math.abs(Number(value)) <= 1.0001 };

const BETWEEN: Range = { words: "a number between 0 and 1", holds: (value) => Number(value) > 0 && Number(value) < 1 };

/**
 * Writes topics as the bytes of one safetensors file: their model, which `loadModel` can read, and what tells the topics. The documents
 * are not in it.
 *
 * @param tags notes to add to those of the model
 * @returns the content of the file
 * @throws OptionError when `topics` are none
 *
 * @example
 * ```ts
 * import { loadTopics, saveTopics, topics } from "bonmf";
 * const documents = ["cat mouse", "mouse cat", "bond stock", "stock bond"];
 * const found = await topics(documents, { k: 2 });
 * const again = loadTopics(saveTopics(found));
 * again.list.map(({ name }) => name).join() === found.list.map(({ name }) => name).join(); // → true
 * again.predict(["a cat"])[0].topic === found.labels[0]; // → true
 * ```
 */
export function saveTopics(topics: Topics, tags?: Tags): Uint8Array {
  if (!(topics instanceof Topics)) {
    throw new OptionError("topics", topics, `saveTopics needs what topics returns, not ${quote(topics)}`);
  }
  const { model, words, topicOf, ids, given, nextId, counts, holders, measures, rules, blend } = topics.state;
  const { tensors, metadata } = packModel(model, tags);
  const k = ids.length;
  const { sizes, empty, fits, npmi, typical } = measures;
  tensors[`${PLACE}.counts`] = { shape: [k, words.length], data: counts };
  tensors[`${PLACE}.holders`] = { shape: [words.length], data: holders };
  tensors[`${PLACE}.clusters`] = { shape: [topicOf.length], data: topicOf };
  tensors[`${PLACE}.sizes`] = { shape: [k], data: sizes };
  tensors[`${PLACE}.fits`] = { shape: [k, QUANTILES], data: fits };
  tensors[`${PLACE}.empty`] = { shape: [empty.length], data: empty };
  if (blend) tensors[`${PLACE}.idf`] = { shape: [blend.idf.length], data: blend.idf };
  const names = topics.list.map(({ name }) => name);
  const fields = {
    ...{ ids, names, given, nextId, npmi, typical, rules },
    words: isOnVectors(model) ? words : null,
    ...(blend && { vectorWeight: blend.weight }),
    ...(rules.stem && { stemmed: true }),
  };
  return encodeTensors(tensors, { ...metadata, [PLACE]: JSON.stringify(fields) });
}

/**
 * Reads the bytes of a topics file.
 *
 * @param documents the documents of the fit, in the same order, for what needs their text: merging, splitting, words over time.
 * The rest needs none
 * @param name the file's name, which begins every error message
 * @param stem the option of the fit, where it had one: texts cannot be counted without. Counts can
 * @throws FormatError that names the bad field; BonmfError with code "no-topics" for a model without topics; OptionError for
 * other documents
 *
 * @example
 * ```ts
 * import { loadTopics, saveTopics, topics } from "bonmf";
 * const documents = ["cat mouse", "mouse cat", "bond stock", "stock bond"];
 * const bytes = saveTopics(await topics(documents, { k: 2 }));
 * loadTopics(bytes, documents, "animals.safetensors").merge([0, 1]).list.length; // → 1
 * ```
 */
export function loadTopics(bytes: Uint8Array, documents?: DocumentInput, name = "topics", stem?: Stem): Topics {
  const { model, tensors, metadata } = unpackModel(bytes, name);
  if (!Object.hasOwn(metadata, PLACE)) {
    throw new BonmfError("no-topics", `${name}: the file holds a model but no topics: fit topics and save them`);
  }
  const fields = parseFields(metadata, PLACE);
  const unstemmed = within(name, () => readState(model, fields, tensors));
  const rules = stemRules(unstemmed.rules, fields.stemmed === true, stem);
  const state = { ...unstemmed, rules };
  if (documents === undefined) return new Topics(state);
  const counted = seeDocuments(state, countKnown(documents, state.words, rules));
  if (counted.X.samples !== model.samples) {
    const message = `the topics are those of ${model.samples} documents, not of these ${counted.X.samples}`;
    throw new OptionError("documents", counted.X.samples, message);
  }
  return new Topics({ ...state, documents: counted });
}

function stemRules(rules: CountOptions, stemmed: boolean, stem: Stem | undefined): CountOptions {
  if (stemmed) return { ...rules, stem: stem ?? missStem };
  if (stem === undefined) return rules;
  throw new OptionError("stem", stem, "these topics were found without stemming: omit stem");
}

function missStem(): never {
  throw new OptionError("stem", undefined, "these topics count stems: give loadTopics the function stem of their fit");
}

function readState(model: TopicsState["model"], fields: Fields, tensors: Tensors): TopicsState {
  const ids = readList(fields, "ids", whole(0).holds) as number[];
  const k = ids.length;
  if (k === 0 || k > model.k || new Set(ids).size !== k) {
    throw new FormatError(`ids must be 1 … ${model.k} different numbers, not ${quote(ids)}`);
  }
  const words = model.featureNames ?? (readList(fields, "words", isText) as string[]);
  const given = readList(fields, "given", (name) => name === null || isText(name), k) as (string | null)[];
  const list = (key: string, shape: number[]) => readFloats(tensors, `${PLACE}.${key}`, shape, AMOUNT);
  const topicOf = viewTensor(tensors, `${PLACE}.clusters`, ["U32"], [model.k], whole(0, k - 1)).slice();
  if (new Set(topicOf).size !== k) throw new FormatError("every topic must have a cluster");
  const empty = tensors.get(`${PLACE}.empty`)?.data.length ?? 0;
  const document = whole(0, model.samples - 1);
  return {
    model,
    words,
    topicOf,
    ids,
    given,
    nextId: readNumber(fields, "nextId", whole(Math.max(...ids) + 1)),
    counts: list("counts", [k, words.length]),
    holders: list("holders", [words.length]),
    measures: {
      sizes: list("sizes", [k]),
      fits: readFloats(tensors, `${PLACE}.fits`, [k, QUANTILES], COSINE),
      empty: Uint32Array.from(viewTensor(tensors, `${PLACE}.empty`, UNSIGNED, [empty], document)),
      npmi: (readList(fields, "npmi", isScore, k) as (number | null)[]).map((score) => score ?? Number.NaN),
      typical: readList(
        fields,
        "typical",
        (list) => Array.isArray(list) && list.every(document.holds),
        k,
      ) as number[][],
    },
    rules: asFields("rules", fields.rules) as CountOptions,
    blend: readBlend(model, fields, tensors),
    documents: null,
    choice: null,
    proposals: [],
  };
}

function readBlend({ scaler }: TopicsState["model"], fields: Fields, tensors: Tensors): Blend | null {
  if (!Object.hasOwn(fields, "vectorWeight")) return null;
  const weight = readNumber(fields, "vectorWeight", BETWEEN);
  const length = tensors.get(`${PLACE}.idf`)?.data.length ?? 0;
  const idf = readFloats(tensors, `${PLACE}.idf`, [length], AMOUNT);
  if (length < scaler.features) return { weight, idf };
  throw new FormatError(`${PLACE}.idf has ${length} numbers, but the model has ${scaler.features} features in all`);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** JSON has no NaN, the coherence of a single word. */
function isScore(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

function readList(fields: Fields, key: string, holds: (value: unknown) => boolean, length?: number): unknown[] {
  const value = fields[key];
  if (Array.isArray(value) && value.every(holds) && (length === undefined || value.length === length)) return value;
  const many = length === undefined ? "" : `${length} `;
  throw new FormatError(`${key} must be an array of ${many}values that it can have, not ${quote(value)}`);
}
