import type { Classifier, Model, Topics } from "bonmf";
import { findDistinctive } from "bonmf-report/clusters";
import { nameObjective } from "bonmf-report/objective";
import type { Call, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { readOptions } from "../read/options.js";
import { escapeControls } from "../show/escape.js";
import { arrangePictures, picture, type Size } from "../show/picture.js";
import { bytes, clip, count, decimal, plural } from "../show/text.js";
import {
  describeDead,
  describeErrors,
  describeFeature,
  describeFit,
  explainStop,
  showsWords,
  type Told,
  tabulateClusters,
} from "./fit-report.js";
import { namesOf, openWhole, recipeOf, type Whole } from "./model-file.js";

export async function run(call: Call): Promise<void> {
  const { args, options, terminal } = call;
  const [path] = args;
  const whole = await openWhole(path);
  const { model, topics } = whole;
  const sizes = countClusters(whole);
  const clusters = chooseClusters(options.string("clusters"), model.k);
  const top = options.number("top") ?? 8;
  if (top < 0) throw new UserError(`--top must be 0 or more, not ${top}`);
  const size = chooseSize(call, model);
  if (terminal.json) {
    terminal.out(JSON.stringify(describeJson(whole, sizes, clusters, top)));
    return;
  }
  const lines = [describeFile(whole, path, terminal), ""];
  lines.push(
    tabulateClusters(
      model,
      {
        clusters,
        distinctive: size || top === 0 ? null : (tellTopics(topics, top) ?? findTelling(model, top)),
        full: options.number("top") !== undefined,
        names: namesOf(model),
        ...(topics && { titles: { cluster: "topic", distinctive: "telling words" } }),
        sizes,
      },
      terminal,
    ),
  );
  if (size) lines.push("", drawClusters(model, { clusters, sizes, size }, terminal));
  terminal.out(lines.join("\n"));
}

/** "0,3,7-9" → [0, 3, 7, 8, 9]. */
function chooseClusters(text: string | undefined, k: number): number[] {
  if (text === undefined) return Array.from({ length: k }, (_, j) => j);
  const chosen = new Set<number>();
  for (const part of text.split(",")) {
    const [, first, last = first] = /^\s*(\d+)\s*(?:[-…]\s*(\d+)\s*)?$/.exec(part) ?? [];
    if (first === undefined || Number(last) >= k || Number(first) > Number(last)) {
      throw new UserError(
        `--clusters ${JSON.stringify(text)} does not name clusters of this model, which are 0 … ${k - 1}`,
        "use numbers and ranges, for example --clusters 0,3,7-9",
      );
    }
    for (let j = Number(first); j <= Number(last); j++) chosen.add(j);
  }
  return [...chosen];
}

/** The size of the pictures if features are pixels; else undefined. */
function chooseSize(call: Call, model: Model): Size | undefined {
  const { size } = readOptions(call);
  const { features } = model.scaler;
  const pixels = size && size.width * size.height;
  if (pixels !== undefined && pixels !== features) {
    throw new UserError(`--size asks for ${pixels} pixels, but the model has ${features} features`);
  }
  const shape = size ?? recipeOf(model)?.image;
  return shape && shape.width * shape.height === features ? shape : undefined;
}

/** How many samples each cluster has. Documents that are in no topic are in no cluster of these. */
function countClusters({ model, topics }: Whole): ArrayLike<number> {
  if (topics === null) return model.counts;
  const sizes = new Float64Array(model.k);
  for (const [i, id] of topics.labels.entries()) if (id >= 0) sizes[model.labels[i]]++;
  return sizes;
}

function describeFile({ model, classifier, topics, size }: Whole, path: string, { style }: Terminal): string {
  const { settings, scaler } = model;
  const recipe = recipeOf(model);
  const facts: [string, string][] = [
    topics
      ? ["read", `${plural(model.samples, "document")}, ${plural(topics.words.length, "word")}`]
      : ["samples", `${count(model.samples)} × ${plural(scaler.features, "feature")}`],
    ["method", `${describeFit(model)}, init ${settings.init}`],
    ["ended", `${plural(model.iterations, "iteration")}, ${explainStop(model)}`],
    [
      "fit",
      nameObjective(model) ? describeErrors(model) : `${describeErrors(model)}, objective ${decimal(model.potential)}`,
    ],
  ];
  if (model.tags.source) facts.unshift(["source", `${model.tags.source}${recipe ? ` (${recipe.kind})` : ""}`]);
  if (model.repairs > 0) facts.push(["repairs", `${plural(model.repairs, "empty cluster")} given a sample`]);
  const dead = describeDead(model);
  if (dead !== null) facts.push(["dead", dead]);
  if (topics && topics.empty > 0) facts.push(["empty", `${plural(topics.empty, "document")} in no topic`]);
  else if (model.zeroSamples > 0)
    facts.push(["zeros", `${plural(model.zeroSamples, "sample")} all zero, in cluster 0`]);
  if (classifier) {
    const names = classifier.classes.map((name) => escapeControls(String(name))).join(", ");
    facts.push(["scheme", classifier.scheme], ["classes", `${classifier.classes.length}: ${clip(names, 60)}`]);
    if (classifier.classWeights !== null) facts.push(["weights", "every class counts alike"]);
    facts.push(["probabilities", classifier.calibration ? "calibrated" : "shares, not calibrated"]);
    const limits = listLimits(classifier);
    if (limits !== "") facts.push(["refuses", limits]);
  }
  const what = classifier ? "classifier" : topics ? "topics" : "model";
  const title = `${style.bold(path)}  ${what} of bonmf ${model.version}, ${bytes(size)}`;
  const lines = [title, ...facts.map(([name, text]) => `${style.dim(name.padEnd(8))} ${text}`)];
  return lines.map(escapeControls).join("\n");
}

/** Null where clusters are no topics, or several are one. */
function tellTopics(topics: Topics | null, top: number): Told[][] | null {
  if (topics === null || topics.list.length !== topics.model.k) return null;
  return topics.list.map(({ telling }) =>
    telling.slice(0, top).map(({ word }) => ({ name: word, direction: "high", effect: null })),
  );
}

function findTelling(model: Model, top: number) {
  const directions = showsWords(model, recipeOf(model)) ? "high" : "both";
  return findDistinctive(model, top, model.featureNames, directions);
}

/** "margin below 0.1, probability below 0.9". */
function listLimits({ reject: { margin, angle, probability } }: Classifier): string {
  const parts = [
    margin === undefined ? "" : `margin below ${margin}`,
    angle === undefined ? "" : `angle above ${angle}`,
    probability === undefined ? "" : `probability below ${probability}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function describeJson(
  { model, classifier }: Whole,
  sizes: ArrayLike<number>,
  clusters: readonly number[],
  top: number,
) {
  const distinctive = findTelling(model, top);
  const names = namesOf(model);
  return {
    version: model.version,
    ...model.settings,
    scale: model.scaler.name,
    samples: model.samples,
    features: model.scaler.features,
    iterations: model.iterations,
    converged: model.converged,
    stopped: model.stopped,
    objective: model.potential,
    explained: model.explained,
    relativeError: model.relativeError,
    repairs: model.repairs,
    dead: model.dead,
    zeroSamples: model.zeroSamples,
    source: model.tags.source ?? null,
    recipe: recipeOf(model),
    classifier: classifier && {
      scheme: classifier.scheme,
      classes: classifier.classes,
      classWeights: classifier.classWeights,
      calibrated: classifier.calibration !== null,
      reject: classifier.reject,
    },
    clusters: clusters.map((cluster) => ({
      cluster,
      name: names?.[cluster] || null,
      size: sizes[cluster],
      share: sizes[cluster] / model.samples,
      features: distinctive[cluster].map(describeFeature),
    })),
  };
}

function drawClusters(
  model: Model,
  {
    clusters,
    sizes,
    size,
  }: { readonly clusters: readonly number[]; readonly sizes: ArrayLike<number>; readonly size: Size },
  { style, width }: Terminal,
): string {
  const colours = style.bold("x") !== "x";
  // In the samples' own units: a standardised prototype is signed.
  const { W, scaler, codes } = model;
  const shown = codes.form === "labels" || scaler.outputs !== scaler.features ? scaler.inverse(W) : W;
  const pictures = clusters.map((j) => ({
    caption: `${j} (${count(sizes[j])})`,
    lines: picture(shown.row(j), size, colours),
  }));
  return arrangePictures(pictures, width);
}
