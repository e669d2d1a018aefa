import { countWords, type Sparse } from "bonmf";
import type { Data, Label, TableOptions } from "./data.js";
import { UserError } from "./errors.js";
import type { TextOptions } from "./recipe.js";

/** Texts with what belongs to them. */
export interface Documents {
  readonly texts: readonly string[];
  readonly labels: readonly Label[] | null;
  readonly ids: readonly Label[] | null;
  readonly weights: Float64Array | null;
  readonly notes: readonly string[];
}

const MOST_WORDS = 20_000;
const MAX_SHARE = 0.5;
/** Among fewer documents than this a word may occur in one only. */
const FEW = 20;

/** Counts the words of documents: for a model those it was fitted on, else those within the usual limits. */
export function countDocuments(
  { texts, labels, ids, weights, notes }: Documents,
  options: Pick<TableOptions, "like" | "maxWords">,
  column?: string,
): Data {
  const { like, maxWords = MOST_WORDS } = options;
  if (like && !like.features) {
    throw new UserError("the model does not know the words it was fitted on", "fit it on text again");
  }
  const limits = {
    stopWords: true,
    minDocuments: texts.length < FEW ? 1 : 2,
    maxShare: MAX_SHARE,
    maxWords,
  };
  const text: TextOptions = column === undefined ? limits : { ...limits, column };
  const { X, words } = countWords(texts, like?.features ? { vocabulary: like.features } : limits);
  const empty = countEmpty(X);
  return {
    X,
    features: words,
    labels,
    ids,
    weights,
    kind: "text",
    recipe: like?.recipe ?? { kind: "text", text },
    notes:
      empty === 0 ? notes : [...notes, `${empty} of ${texts.length} documents hold none of the ${words.length} words`],
  };
}

function countEmpty({ offsets, samples }: Sparse): number {
  let empty = 0;
  for (let i = 0; i < samples; i++) if (offsets[i] === offsets[i + 1]) empty++;
  return empty;
}

/** One after the other. */
export function joinDocuments(parts: readonly Documents[]): Documents {
  const [first] = parts;
  if (parts.length === 1) return first;
  return {
    texts: parts.flatMap(({ texts }) => texts),
    labels: first?.labels ? parts.flatMap(({ labels }) => labels ?? []) : null,
    ids: first?.ids ? parts.flatMap(({ ids }) => ids ?? []) : null,
    weights: first?.weights ? Float64Array.from(parts.flatMap(({ weights }) => [...(weights ?? [])])) : null,
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
  };
}
