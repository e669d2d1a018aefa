import type { Cluster, DistinctiveFeature, Findings } from "../findings.js";
import { drawPixels } from "./canvas.js";
import { colourOf } from "./colour.js";
import { element } from "./element.js";
import { showMembers } from "./members.js";
import { choosable, nameCluster, swatch } from "./naming.js";
import { count, decimal, percent } from "./numbers.js";
import type { ViewOptions } from "./options.js";

/** A card for each cluster: its prototype, typical members, borderline members. */
export function showCards(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const cards = findings.clusters.map((cluster) => showCard(cluster, findings, options));
  return element("div", { class: `bonmf-cards bonmf-cards-${findings.form}` }, ...cards);
}

function showCard(one: Cluster, findings: Findings, options: ViewOptions): HTMLElement {
  const { cluster, size, share, majority, cosine } = one;
  const { k } = findings.run;
  const name = nameCluster(findings, cluster);
  const choose = options.onCluster && (() => options.onCluster?.(cluster));
  const facts = [`${count(size)} · ${percent(share)}`, cosine === null ? null : `mean cosine ${decimal(cosine)}`];
  return element(
    "article",
    { class: "bonmf-card", style: `--bonmf-colour: ${colourOf(cluster, k)}`, "aria-label": name },
    element(
      "header",
      {},
      element("h3", {}, swatch(cluster, k), choosable(name, choose)),
      majority && showMajority(majority),
      element("p", { class: "bonmf-facts" }, facts.filter((fact) => fact !== null).join("   ")),
    ),
    element(
      "div",
      { class: "bonmf-body" },
      showPrototype(one, findings, name),
      showMembers("typical", one.typical, findings, options),
      showMembers("borderline", one.borderline, findings, options),
    ),
  );
}

function showMajority({ label, share }: NonNullable<Cluster["majority"]>): HTMLElement {
  const part = percent(share, 0);
  return element(
    "p",
    { class: "bonmf-badge", title: `${part} of class ${label}` },
    `mostly ${label} `,
    element("b", {}, part),
  );
}

function showPrototype({ picture, distinctive }: Cluster, { pictures }: Findings, name: string): HTMLElement | null {
  if (picture && pictures) {
    return element(
      "figure",
      { class: "bonmf-prototype" },
      drawPixels(picture, pictures, pictures, `Prototype of ${name}`),
    );
  }
  if (distinctive.length === 0) return element("p", { class: "bonmf-none" }, "Nothing is above the average here.");
  return element(
    "ul",
    { class: "bonmf-distinctive", "aria-label": `Most distinctive of ${name}` },
    ...listFeatures(distinctive),
  );
}

function listFeatures(distinctive: readonly DistinctiveFeature[]): HTMLElement[] {
  const top = Math.max(...distinctive.map(({ value, mean }) => value - mean));
  return distinctive.map(({ name, value, mean, own }) => {
    const from = own ? Math.min(0, own.least) : 0;
    const span = own ? own.most - from || 1 : top || 1;
    const filled = own ? (own.average - from) / span : (value - mean) / span;
    const usual = own ? (own.overall - from) / span : null;
    return element(
      "li",
      {},
      element("span", { class: "bonmf-name", title: name }, name),
      own &&
        element(
          "span",
          { class: "bonmf-value" },
          element("b", {}, decimal(own.average)),
          element("small", {}, ` vs ${decimal(own.overall)} overall`),
        ),
      element(
        "span",
        { class: "bonmf-bar", style: `--bonmf-filled: ${filled}`, "aria-hidden": "true" },
        usual !== null && element("i", { style: `--bonmf-at: ${usual}` }),
      ),
    );
  });
}
