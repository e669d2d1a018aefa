import { titleOf } from "../title.js";
import { element } from "./element.js";

/** What the frame of a page says of the file and of bonmf. */
interface Origin {
  readonly source: string | null;
  readonly repeat: { readonly version: string };
}

/**
 * A whole page: title, links to the sections, summary, sections.
 *
 * @param command the command that makes such pages
 */
export function showPage(
  findings: Origin,
  command: string,
  summary: readonly (HTMLElement | null)[],
  sections: readonly HTMLElement[],
): HTMLElement {
  const { source, repeat } = findings;
  const title = titleOf(findings);
  const links = sections.map((one) => {
    const link = element("a", { href: `#${one.id}` }, one.querySelector("h2")?.textContent);
    return element("li", {}, link);
  });
  return element(
    "main",
    { class: "bonmf-report" },
    element(
      "header",
      { class: "bonmf-header" },
      element("p", { class: "bonmf-eyebrow" }, title === source ? command : `${command} · ${source}`),
      element("h1", {}, title),
      element("nav", { "aria-label": "Sections" }, element("ul", {}, ...links)),
    ),
    element("section", { "aria-label": "Summary", class: "bonmf-summary" }, ...summary),
    ...sections,
    element("footer", {}, `Made by bonmf ${repeat.version}. This page holds everything it shows and sends nothing.`),
  );
}

export function section(id: string, title: string, note: string | null, ...views: HTMLElement[]): HTMLElement {
  return element(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title),
    note !== null && element("p", { class: "bonmf-note" }, note),
    ...views,
  );
}
