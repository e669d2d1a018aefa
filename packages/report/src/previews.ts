import type { Matrix, Model, Topic } from "bonmf";
import type { Assignments } from "./assignments.js";
import { findDistinctive } from "./clusters.js";
import { isText } from "./documents.js";
import { type Found, measureEffects } from "./effects.js";
import type { Cluster, Form, Member, Pictures, Preview, Size } from "./findings.js";
import { chooseMembers, countShown } from "./members.js";
import { findPassage } from "./passage.js";
import { fitSize, surveyPixels, toGreys } from "./picture.js";
import { multiplyPrototypes } from "./prototype-products.js";
import type { ReportData } from "./report-data.js";
import { makeNamer } from "./sample-names.js";
import { MOST_POINTS } from "./subsample.js";

/** Distinctive features per cluster; how many of them a sample shows; words a sample shows. */
const DISTINCTIVE = 8;
export const VALUES = 4;
export const WORDS = 6;
/** Bytes of pixels, so that a page stays small. */
const BUDGET = { prototypes: 300_000, members: 500_000, map: 800_000 };

/** How clusters and samples are shown to people. */
export interface Previews {
  readonly form: Form;
  readonly pictures: Pictures | null;
  readonly distinctive: readonly (readonly Found[])[];
  /** Names of the scaled features. */
  readonly words: readonly string[];
  showCluster(cluster: number): Pick<Cluster, "picture" | "distinctive" | "typical" | "borderline">;
  /** Sample i as greys of a size. */
  draw(i: number, size: Size): Uint8Array;
}

export async function makePreviews(
  model: Model,
  { X, weights, labels, ids, features, recipe, texts, countedAs, told, dropped }: ReportData,
  assignments: Assignments,
  signal?: AbortSignal,
): Promise<Previews> {
  const { k, scaler } = model;
  const names = features ?? model.featureNames;
  const image = recipe?.image && recipe.image.width * recipe.image.height === X.features ? recipe.image : null;
  const form: Form = image ? "picture" : isText(model, { recipe }) ? "text" : "table";
  const each = countShown(k, form);
  const nameSample = makeNamer({ ids, texts, dropped });
  const chosen = chooseMembers(assignments, k, each, texts);
  const distinctive =
    form === "table"
      ? await measureEffects(X, assignments.clusters, k, DISTINCTIVE, names, weights, signal)
      : told
        ? told.topics.list.map(listTelling)
        : findDistinctive(model, form === "picture" ? 0 : DISTINCTIVE, names);
  const words = told
    ? []
    : scaler.featureNames(names ?? Array.from({ length: scaler.features }, (_, f) => `#${f + 1}`));
  const shown = chosen.flatMap(({ typical, borderline }) => [...typical, ...borderline]);
  const { top, bottom, ink } = image ? surveyPixels(X, shown) : { top: 0, bottom: 0, ink: false };
  // Of picture files and arrays of pictures, 0 is black.
  const light = recipe?.kind !== undefined && ["images", "npy", "npz"].includes(recipe.kind);
  const pictures = image && {
    ...fitSize(image, k, BUDGET.prototypes),
    thumb: fitSize(image, shown.length, BUDGET.members),
    dot: fitSize(image, Math.min(X.samples, MOST_POINTS), BUDGET.map),
    ink: ink && !light,
  };
  const prototypes = image && restorePrototypes(model);
  const draw = (i: number, size: Size) => toGreys(X.row(i), image!, size, top, bottom);

  function preview(i: number, Z: Matrix, z: number): Preview {
    const own = form === "text" ? (told?.words[i] ?? pickWords(Z, z, WORDS).map((f) => words[f])) : [];
    const telling = distinctive[assignments.clusters[i]].map(({ name }) => name);
    return {
      pixels: pictures && draw(i, pictures.thumb),
      words: own,
      passage: form === "text" && texts ? findPassage(texts[i], [...own, ...telling], { countedAs }) : [],
      values: form === "table" ? readValues(X, i, distinctive[assignments.clusters[i]]) : [],
    };
  }

  function showMembers(rows: readonly number[]): Member[] {
    if (rows.length === 0) return [];
    const Z = model.prepare(X.take(rows));
    const along = multiplyPrototypes(Z, model.W, true);
    return rows.map((i, z) => ({
      sample: i,
      id: nameSample(i),
      label: labels ? String(labels[i]) : null,
      cosine: assignments.cosines[i],
      margin: assignments.margins[i],
      rival: findRival(along.subarray(z * k, (z + 1) * k), assignments.clusters[i]),
      preview: preview(i, Z, z),
    }));
  }

  return {
    form,
    pictures,
    distinctive,
    words,
    draw,
    showCluster: (j) => ({
      picture: pictures && drawPrototype(prototypes!.row(j), image!, pictures),
      distinctive: distinctive[j].map(({ feature: _, ...shown }) => shown),
      typical: showMembers(chosen[j].typical),
      borderline: showMembers(chosen[j].borderline),
    }),
  };
}

/** Words are shown as the features of a cluster that are above the mean. */
function listTelling({ telling }: Topic): Found[] {
  return telling.slice(0, DISTINCTIVE).map(({ word, value }, feature) => ({
    ...{ feature, name: word, direction: "high" as const },
    ...{ value, mean: 0, effect: null },
  }));
}

/** The columns of Z with the largest weight in sample i, largest first. */
export function pickWords(Z: Matrix, i: number, top: number): number[] {
  const found: { f: number; value: number }[] = [];
  Z.each(i, (f, value) => {
    if (value > 0) found.push({ f, value });
  });
  found.sort((a, b) => b.value - a.value || a.f - b.f);
  return found.slice(0, top).map(({ f }) => f);
}

/** Sample i's values of a cluster's first distinctive features, in its own units. */
export function readValues(X: Matrix, i: number, distinctive: readonly Found[]): { name: string; value: number }[] {
  return distinctive.slice(0, VALUES).map(({ name, feature }) => ({ name, value: X.at(i, feature) }));
}

/** Prototypes in the samples' own units; for one-hot codes, whose prototypes have a meaningful length. */
export function restorePrototypes({ W, codes, scaler }: Model): Matrix {
  return codes.form === "labels" || scaler.outputs !== scaler.features ? scaler.inverse(W) : W;
}

export function drawPrototype(values: ArrayLike<number>, from: Size, to: Size): Uint8Array {
  let top = 0;
  let bottom = 0;
  for (let p = 0; p < values.length; p++) {
    top = Math.max(top, values[p]);
    bottom = Math.min(bottom, values[p]);
  }
  return toGreys(values, from, to, top, bottom);
}

function findRival(cosines: Float64Array, home: number): number | null {
  let best: number | null = null;
  for (let j = 0; j < cosines.length; j++) {
    if (j !== home && (best === null || cosines[j] > cosines[best])) best = j;
  }
  return best;
}
