import { element } from "./element.js";

export type Tile = [name: string, value: string, note: string];

/** Figures side by side, each with its name above and a note below. */
export function showTiles(tiles: readonly Tile[]): HTMLElement {
  const list = tiles.map(([name, value, note]) =>
    element(
      "div",
      { class: "bonmf-stat" },
      element("dt", {}, name),
      element("dd", {}, value, element("small", {}, note)),
    ),
  );
  return element("dl", { class: "bonmf-stats" }, ...list);
}
