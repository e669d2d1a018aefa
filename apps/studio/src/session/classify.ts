import {
  classifier,
  countWords,
  DataError,
  isQuantity,
  type Label,
  type Matrix,
  type Model,
  numericLabels,
  splitWords,
} from "bonmf";
import type { Merged } from "bonmf-report";
import type { Data } from "../data/build.js";
import { readPicture } from "../data/picture.js";
import { explainRow, toGreys } from "./explore.js";
import type { Answer, Input, NeighborRow, Refusal } from "./protocol.js";

/** Most training samples for an exact neighbour search in the page. */
const MANY = 50_000;
/** Unknown words of a text that are named. */
const MOST_UNKNOWN = 12;

const VECTORLESS =
  "These topics compare documents by vectors, and the page makes none. Save the model under Export, then: bonmf predict MODEL DATA --vectors FILE.";

/** Says the class of a sample; null for those that have none. */
export type Classify = (X: Matrix) => { label: Label; share: number } | null;

export async function train(model: Model, { X, labels }: Data): Promise<Classify> {
  const numbers = labels && numericLabels([...new Set(labels)], labels.length);
  // The classifier refuses a quantity: then a sample has a cluster, but no class.
  if (!labels || (numbers && isQuantity(numbers))) return () => null;
  const neighbors = Math.min(5, X.samples);
  const trained = await classifier(model, X, labels, { scheme: X.samples > MANY ? "majority" : "vote", neighbors });
  return (one) => {
    const { label, share } = trained.explain(one)[0];
    return label === null ? null : { label, share };
  };
}

/** A new sample, or why it is none. */
type Sample = { readonly X: Matrix; readonly known: number; readonly unknown: readonly string[] } | Refusal;

/** Where a new sample belongs, and why; or what is wrong with it. */
export async function answer(
  data: Data,
  merged: Merged,
  classify: Classify,
  search: (X: Matrix) => Promise<NeighborRow[]>,
  input: Input,
): Promise<Answer | Refusal> {
  const sample = await readInput(data, input);
  if ("refused" in sample) return sample;
  const { X, known, unknown } = sample;
  try {
    const found = classify(X);
    const { cluster, cosine, margin } = merged.explain(X)[0];
    const row = X.row(0);
    const { rival, reasons, closest } = explainRow(data, merged, row, cluster);
    return {
      cluster: merged.numbers[cluster],
      rival,
      cosine,
      margin,
      closest,
      label: found && String(found.label),
      share: found?.share ?? null,
      neighbors: await search(X),
      reasons: data.image ? [] : reasons,
      pixels: data.image && toGreys(row),
      known,
      unknown,
    };
  } catch (error) {
    return refuse(error, data);
  }
}

/** What the library says of a value, beside the field of the feature; anything else is no fault of the sample's. */
function refuse(error: unknown, { features }: Data): Refusal {
  if (!(error instanceof DataError) || error.place?.feature === undefined) throw error;
  const { feature, value } = error.place;
  const name = features?.[feature] ?? `#${feature + 1}`;
  const why =
    typeof value === "number" && value < 0
      ? `${name} cannot be ${value}: this method and scaling need values of 0 or more.`
      : `${name} cannot be ${value}: a finite number is needed.`;
  return { refused: why, feature };
}

async function readInput(data: Data, input: Input): Promise<Sample> {
  const { X, features, image } = data;
  if (data.told) return { refused: VECTORLESS, feature: null };
  if (input.type === "text") return readText(input.text, features ?? []);
  const values = input.type === "picture" ? await drawLike(data, input.blob) : input.values;
  if (typeof values === "string") return { refused: values, feature: null };
  const one = X.slice(0, 1).toDense().take([0]);
  if (values.length !== X.features) {
    return { refused: `It has ${values.length} values; the samples have ${X.features}.`, feature: null };
  }
  one.data.set(values);
  if (image && one.data.every((value) => value === 0)) {
    return { refused: "Nothing is there yet: draw something.", feature: null };
  }
  return { X: one, known: values.length, unknown: [] };
}

function readText(text: string, vocabulary: readonly string[]): Sample {
  if (text.trim() === "") return { refused: "Nothing is there yet: write or paste a text.", feature: null };
  const { X } = countWords([text], { vocabulary });
  const names = new Set(vocabulary);
  const unknown = [...new Set(splitWords(text))].filter((word) => !names.has(word)).slice(0, MOST_UNKNOWN);
  if (X.values.length > 0) return { X, known: X.values.length, unknown };
  const words = unknown.map((word) => `“${word}”`).join(", ");
  return { refused: `None of its words occurs in the texts of the fit: ${words || "it has none"}.`, feature: null };
}

/** A picture in the size and the values of the samples; what is wrong where it is none. */
async function drawLike({ X, image, kind }: Data, blob: Blob): Promise<readonly number[] | string> {
  if (!image) return "The samples of this run are no pictures.";
  const greys = await readPicture(blob, image);
  if (!greys) return "This cannot be read as a picture: PNG, JPEG, GIF, WebP, BMP and SVG can.";
  if (kind === "images") return Array.from(greys);
  let most = 0;
  let zeros = 0;
  for (let i = 0; i < Math.min(X.samples, 500); i++) {
    for (const value of X.row(i)) {
      most = Math.max(most, value);
      if (value === 0) zeros++;
    }
  }
  // Where 0 is paper, dark is much; pictures on white paper are turned round.
  const ink = zeros >= (Math.min(X.samples, 500) * X.features) / 3;
  const light = greys.reduce((sum, grey) => sum + grey, 0) / greys.length > 127;
  return Array.from(greys, (grey) => (most * (ink && light ? 255 - grey : grey)) / 255);
}
