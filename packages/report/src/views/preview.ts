import type { Pictures, Preview } from "../findings.js";
import { drawPixels } from "./canvas.js";
import { element } from "./element.js";
import { decimal } from "./numbers.js";

/** What a sample looks like: its picture, a passage, its words, or some values. */
export function showPreview(preview: Preview, pictures: Pictures | null, name: string): HTMLElement {
  if (preview.pixels && pictures) return drawPixels(preview.pixels, pictures.thumb, pictures, name);
  if (preview.passage.length > 0) {
    const pieces = preview.passage.map(({ text, marked }) => (marked ? element("mark", {}, text) : text));
    return element("span", { class: "bonmf-passage", dir: "auto" }, ...pieces);
  }
  if (preview.words.length > 0) return element("span", { class: "bonmf-words" }, preview.words.join(" · "));
  const pairs = preview.values.map(({ name: feature, value }) =>
    element("span", { class: "bonmf-pair" }, element("span", {}, feature), " ", element("b", {}, decimal(value))),
  );
  return element("span", { class: "bonmf-pairs" }, ...pairs);
}
