import type { Matrix } from "bonmf";
import type { Merged } from "bonmf-report";
import { measureEffects } from "bonmf-report/clusters";
import { type Data, type NamedCounts, nameCounts } from "../data/build.js";
import { type Assignments, toGreys } from "./explore.js";
import type { Histogram, SelectionInfo } from "./protocol.js";

const BINS = 24;
const MOST_LABELS = 12;
const MOST_FEATURES = 4;
const MOST_WORDS = 10;

/** What the selected samples are, beside all of them. */
export async function describeSelection(
  data: Data,
  merged: Merged,
  { cosines }: Assignments,
  samples: Uint32Array,
): Promise<SelectionInfo> {
  const { X, labels, texts, image, features } = data;
  const chosen = new Uint8Array(X.samples);
  for (const i of samples) chosen[i] = 1;
  const asked = samples.length < X.samples;
  const form = image ? "picture" : texts || merged.model.scaler.name.endsWith("tfidf") ? "text" : "table";
  return {
    samples: samples.length,
    labels: labels && countLabels(labels, chosen),
    closeness: bin("closeness to the prototype", cosines, chosen),
    picture: image && toGreys(averagePixels(X, samples)),
    words: form === "text" && asked ? findWords(nameCounts(data), chosen, samples.length) : [],
    features:
      form === "table" && asked
        ? (await measureEffects(X, chosen, 2, MOST_FEATURES, features))[1].map(({ name, feature }) =>
            bin(
              name,
              Float32Array.from({ length: X.samples }, (_, i) => X.at(i, feature)),
              chosen,
            ),
          )
        : [],
  };
}

function countLabels(labels: readonly (string | number)[], chosen: Uint8Array): SelectionInfo["labels"] {
  const counts = new Map<string, { selected: number; all: number }>();
  labels.forEach((label, i) => {
    const name = String(label);
    const count = counts.get(name) ?? { selected: 0, all: 0 };
    counts.set(name, { selected: count.selected + chosen[i], all: count.all + 1 });
  });
  return [...counts]
    .map(([label, count]) => ({ label, ...count }))
    .filter(({ selected }) => selected > 0)
    .sort((a, b) => b.selected - a.selected)
    .slice(0, MOST_LABELS);
}

/** How values are spread: of the selected samples, and of all. */
export function bin(name: string, values: Float32Array, chosen: Uint8Array): Histogram {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const selected = new Array<number>(BINS).fill(0);
  const all = new Array<number>(BINS).fill(0);
  values.forEach((value, i) => {
    const place = most > least ? Math.min(BINS - 1, Math.floor((BINS * (value - least)) / (most - least))) : 0;
    all[place]++;
    selected[place] += chosen[i];
  });
  return { name, least, most, selected, all };
}

function averagePixels(X: Matrix, samples: Uint32Array): Float64Array {
  const sums = new Float64Array(X.features);
  for (const i of samples) {
    X.each(i, (f, value) => {
      sums[f] += value / samples.length;
    });
  }
  return sums;
}

/** Words that a larger share of the selected texts have than of the others, the largest difference first. */
function findWords({ X, features }: NamedCounts, chosen: Uint8Array, selected: number): string[] {
  const inside = new Float64Array(X.features);
  const outside = new Float64Array(X.features);
  for (let i = 0; i < X.samples; i++) {
    const shares = chosen[i] ? inside : outside;
    const size = chosen[i] ? selected : X.samples - selected;
    X.each(i, (f, value) => {
      if (value !== 0) shares[f] += 1 / size;
    });
  }
  const gains = inside.map((share, f) => share - outside[f]);
  return Array.from(gains.keys())
    .filter((f) => gains[f] > 0)
    .sort((a, b) => gains[b] - gains[a] || a - b)
    .slice(0, MOST_WORDS)
    .map((f) => features?.[f] ?? `#${f + 1}`);
}
