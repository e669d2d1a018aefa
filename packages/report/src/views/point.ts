import type { Findings, Preview } from "../findings.js";
import { drawPixels } from "./canvas.js";
import { element } from "./element.js";
import { choosable, nameCluster, swatch } from "./naming.js";
import { capitalise, nounsOf } from "./nouns.js";
import { decimal } from "./numbers.js";
import type { ViewOptions } from "./options.js";
import { showPreview } from "./preview.js";

/** All about entry p of the map. */
export function showPoint(findings: Findings, p: number, options: ViewOptions): HTMLElement {
  const { map, agreement, pictures } = findings;
  const cluster = map.clusters[p];
  const name = map.ids[p];
  const facts: [string, string | HTMLElement][] = [
    [
      capitalise(nounsOf(findings).cluster),
      element("span", {}, swatch(findings, cluster), nameCluster(findings, cluster)),
    ],
    ["Cosine", decimal(map.cosines[p])],
    ["Margin", decimal(map.margins[p])],
  ];
  if (map.classes && agreement) facts.splice(1, 0, ["Class", agreement.classes[map.classes[p]]]);
  const choose = options.onSample && (() => options.onSample?.(map.samples[p]));
  const list = facts.map(([term, value]) => element("div", {}, element("dt", {}, term), element("dd", {}, value)));
  return element(
    "div",
    {},
    element("p", { class: "bonmf-title" }, choosable(name, choose)),
    pictures && map.pixels
      ? drawPixels(pixelsOf(findings, p), pictures.dot, pictures, name)
      : showPreview(previewOf(findings, p), null, name),
    element("dl", { class: "bonmf-pointed" }, ...list),
  );
}

function pixelsOf({ map, pictures }: Findings, p: number): Uint8Array {
  const { width, height } = pictures!.dot;
  return map.pixels!.subarray(p * width * height, (p + 1) * width * height);
}

function previewOf({ map, clusters }: Findings, p: number): Preview {
  const words = map.words
    ? Array.from(map.words.places.subarray(p * map.words.each, (p + 1) * map.words.each))
        .filter((place) => place < map.words!.vocabulary.length)
        .map((place) => map.words!.vocabulary[place])
    : [];
  const names = clusters[map.clusters[p]].distinctive;
  const values = map.values
    ? Array.from(map.values.numbers.subarray(p * map.values.each, (p + 1) * map.values.each))
        .filter((value) => !Number.isNaN(value))
        .map((value, v) => ({ name: names[v].name, value }))
    : [];
  const text = map.texts?.[p] ?? "";
  return { pixels: null, passage: text === "" ? [] : [{ text, marked: false }], words, values };
}
