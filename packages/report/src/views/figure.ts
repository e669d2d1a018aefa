import { element } from "./element.js";
import type { ViewOptions } from "./options.js";
import { HTML, savePicture } from "./save-picture.js";

/** What is the plot of a view: not the settings beside it. */
const PLOT = `.bonmf-stage, .bonmf-plots, .bonmf-frame, .bonmf-plot, ${HTML}, canvas`;

type Options = Pick<ViewOptions, "file">;

/** A plot under its title, with buttons that save it as a picture. */
export function showFigure(title: string, view: HTMLElement, options: Options = {}): HTMLElement {
  const heading = element("h3", {}, title);
  return element("figure", {}, element("figcaption", {}, heading, showSaves(title, view, options)), view);
}

/** A view whose title stands elsewhere, with buttons that save its plot as a picture. */
export function showSavable(title: string, view: HTMLElement, options: Options = {}): HTMLElement {
  return element("div", { class: "bonmf-savable" }, showSaves(title, view, options), view);
}

export function showSaves(title: string, view: HTMLElement, { file }: Options): HTMLElement {
  const stem = file ?? document.title.split(" · ")[0].replace(/(\.\w+)+$/, "");
  const name = `${stem}-${title.toLowerCase().replace(/\W+/g, "-")}`;
  const buttons = (["png", "svg"] as const).map((format) => {
    const button = element(
      "button",
      { type: "button", class: "bonmf-save" },
      format.toUpperCase(),
      element("span", { class: "bonmf-spoken" }, ` of ${title}`),
    );
    button.addEventListener("click", () => {
      const plot = view.matches(PLOT) ? view : view.querySelector(PLOT);
      void savePicture(plot ?? view, name, format);
    });
    return button;
  });
  return element("span", { class: "bonmf-saves" }, ...buttons);
}
