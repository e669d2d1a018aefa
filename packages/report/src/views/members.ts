import type { Findings, Member } from "../findings.js";
import { element } from "./element.js";
import { choosable, nameBriefly, nameCluster, swatch } from "./naming.js";
import { decimal } from "./numbers.js";
import type { ViewOptions } from "./options.js";
import { showPreview } from "./preview.js";

type Kind = "typical" | "borderline";
const TITLES: Readonly<Record<Kind, string>> = { typical: "Typical", borderline: "Borderline" };

/** Some members of a cluster: pictures in a strip, texts in a list, numbers in a table. */
export function showMembers(
  kind: Kind,
  members: readonly Member[],
  findings: Findings,
  options: ViewOptions,
): HTMLElement | null {
  if (members.length === 0) return null;
  const show = { picture: showStrip, text: showList, table: showTable }[findings.form];
  return element(
    "div",
    { class: "bonmf-members" },
    element("h4", {}, TITLES[kind]),
    show(kind, members, findings, options),
  );
}

function showStrip(kind: Kind, members: readonly Member[], findings: Findings, options: ViewOptions): HTMLElement {
  const items = members.map((member) => {
    const words = describeMember(kind, member, findings);
    const caption = pointTo(kind, member, findings) ?? member.label;
    const preview = showPreview(member.preview, findings.pictures, words);
    const tile = element("figure", { title: words }, preview, caption !== null && element("figcaption", {}, caption));
    const choose = chooserOf(member, options);
    if (!choose) return element("li", {}, tile);
    const button = element("button", { type: "button", class: "bonmf-tile" }, tile);
    button.addEventListener("click", choose);
    return element("li", {}, button);
  });
  return element("ul", { class: "bonmf-strip" }, ...items);
}

function showList(kind: Kind, members: readonly Member[], findings: Findings, options: ViewOptions): HTMLElement {
  const items = members.map((member) => {
    const side = [member.label, nextOf(kind, member, findings)].filter((word) => word !== null).join(" ");
    return element(
      "li",
      { title: describeMember(kind, member, findings) },
      element("span", { class: "bonmf-id" }, choosable(member.id, chooserOf(member, options))),
      side !== "" && element("span", { class: "bonmf-side" }, side),
      showPreview(member.preview, null, member.id),
    );
  });
  return element("ul", { class: "bonmf-list" }, ...items);
}

function showTable(kind: Kind, members: readonly Member[], findings: Findings, options: ViewOptions): HTMLElement {
  const { agreement } = findings;
  const names = ["sample", ...members[0].preview.values.map(({ name }) => name)];
  if (agreement) names.push("class");
  if (kind === "borderline") names.push("next");
  const rows = members.map((member) =>
    element(
      "tr",
      { title: describeMember(kind, member, findings) },
      element("th", { scope: "row" }, choosable(member.id.replace(/^sample /, ""), chooserOf(member, options))),
      ...member.preview.values.map(({ value }) => element("td", {}, decimal(value))),
      agreement && element("td", {}, member.label),
      kind === "borderline" && element("td", {}, nextOf(kind, member, findings)),
    ),
  );
  return element(
    "table",
    { class: "bonmf-values" },
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col", title: name }, name)))),
    element("tbody", {}, ...rows),
  );
}

function describeMember(kind: Kind, { id, label, cosine, rival }: Member, findings: Findings): string {
  const words = [id];
  if (label !== null) words.push(`class ${label}`);
  words.push(`cosine ${decimal(cosine)}`);
  if (kind === "borderline" && rival !== null) words.push(`next: ${nameCluster(findings, rival)}`);
  return words.join(", ");
}

/** The second-closest cluster of a borderline member. */
function nextOf(kind: Kind, { rival }: Member, findings: Findings): string | null {
  return kind === "borderline" && rival !== null ? `→ ${nameBriefly(findings, rival)}` : null;
}

/** The same under a small picture: a name would not fit, its colour does, and the picture's title has it in full. */
function pointTo(kind: Kind, member: Member, findings: Findings): string | HTMLElement | null {
  const { rival } = member;
  if (kind !== "borderline" || rival === null || findings.clusters[rival].name === null) {
    return nextOf(kind, member, findings);
  }
  return element("span", {}, "→ ", swatch(findings, rival));
}

function chooserOf({ sample }: Member, { onSample }: ViewOptions): (() => void) | undefined {
  return onSample && (() => onSample(sample));
}
