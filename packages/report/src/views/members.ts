import type { Findings, Member } from "../findings.js";
import { element } from "./element.js";
import { choosable, nameCluster } from "./naming.js";
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

function showStrip(kind: Kind, members: readonly Member[], { pictures }: Findings, options: ViewOptions): HTMLElement {
  const items = members.map((member) => {
    const words = describeMember(kind, member, options);
    const caption = nextOf(kind, member) ?? member.label;
    const preview = showPreview(member.preview, pictures, words);
    const tile = element("figure", { title: words }, preview, caption !== null && element("figcaption", {}, caption));
    const choose = chooserOf(member, options);
    if (!choose) return element("li", {}, tile);
    const button = element("button", { type: "button", class: "bonmf-tile" }, tile);
    button.addEventListener("click", choose);
    return element("li", {}, button);
  });
  return element("ul", { class: "bonmf-strip" }, ...items);
}

function showList(kind: Kind, members: readonly Member[], _: Findings, options: ViewOptions): HTMLElement {
  const items = members.map((member) => {
    const side = [member.label, nextOf(kind, member)].filter((word) => word !== null).join(" ");
    return element(
      "li",
      { title: describeMember(kind, member, options) },
      element("span", { class: "bonmf-id" }, choosable(member.id, chooserOf(member, options))),
      side !== "" && element("span", { class: "bonmf-side" }, side),
      showPreview(member.preview, null, member.id),
    );
  });
  return element("ul", { class: "bonmf-list" }, ...items);
}

function showTable(kind: Kind, members: readonly Member[], { agreement }: Findings, options: ViewOptions): HTMLElement {
  const names = ["sample", ...members[0].preview.values.map(({ name }) => name)];
  if (agreement) names.push("class");
  if (kind === "borderline") names.push("next");
  const rows = members.map((member) =>
    element(
      "tr",
      { title: describeMember(kind, member, options) },
      element("th", { scope: "row" }, choosable(member.id.replace(/^sample /, ""), chooserOf(member, options))),
      ...member.preview.values.map(({ value }) => element("td", {}, decimal(value))),
      agreement && element("td", {}, member.label),
      kind === "borderline" && element("td", {}, nextOf(kind, member)),
    ),
  );
  return element(
    "table",
    { class: "bonmf-values" },
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col", title: name }, name)))),
    element("tbody", {}, ...rows),
  );
}

function describeMember(kind: Kind, { id, label, cosine, rival }: Member, options: ViewOptions): string {
  const words = [id];
  if (label !== null) words.push(`class ${label}`);
  words.push(`cosine ${decimal(cosine)}`);
  if (kind === "borderline" && rival !== null) words.push(`next: ${nameCluster(rival, options)}`);
  return words.join(", ");
}

/** The cluster that a borderline member could as well be in. */
function nextOf(kind: Kind, { rival }: Member): string | null {
  return kind === "borderline" && rival !== null ? `→ ${rival}` : null;
}

function chooserOf({ sample }: Member, { onSample }: ViewOptions): (() => void) | undefined {
  return onSample && (() => onSample(sample));
}
