import type { Cluster, DistinctiveFeature, Effect, Findings } from "../findings.js";
import { drawPixels } from "./canvas.js";
import { drawNear, element } from "./element.js";
import { showMembers } from "./members.js";
import { choosable, colourCluster, nameCluster, swatch, tellingWords } from "./naming.js";
import { nounsOf } from "./nouns.js";
import { count, decimal, percent } from "./numbers.js";
import type { ViewOptions } from "./options.js";

/** Cards that are drawn at once; of the others only the heading, until they come near the screen. */
const FIRST = 24;

/** A card for each cluster: its prototype, typical members, borderline members. */
export function showCards(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const cards = findings.clusters.map((cluster) => showCard(cluster, findings, options));
  return element("div", { class: `bonmf-cards bonmf-cards-${findings.form}` }, ...cards);
}

function showCard(one: Cluster, findings: Findings, options: ViewOptions): HTMLElement {
  const { cluster, size, share, majority, cosine } = one;
  const name = nameCluster(findings, cluster);
  const choose = options.onCluster && (() => options.onCluster?.(cluster));
  const words = tellingWords(findings, cluster, 3);
  const facts = [`${count(size)} · ${percent(share)}`, cosine === null ? null : `mean cosine ${decimal(cosine)}`];
  const body = element("div", { class: "bonmf-body" });
  const fill = () =>
    body.append(
      ...[
        showPrototype(one, findings, name),
        showMembers("typical", one.typical, findings, options),
        showMembers("borderline", one.borderline, findings, options),
      ].filter((part) => part !== null),
    );
  if (cluster < FIRST) fill();
  const card = element(
    "article",
    { class: "bonmf-card", style: `--bonmf-colour: ${colourCluster(findings, cluster)}`, "aria-label": name },
    element(
      "header",
      {},
      element(
        "h3",
        {},
        swatch(findings, cluster),
        choosable(name, choose),
        words.length > 0 && element("small", { class: "bonmf-telling", dir: "auto" }, words.join(" · ")),
      ),
      majority && showMajority(majority, nounsOf(findings).sample),
      element("p", { class: "bonmf-facts" }, facts.filter((fact) => fact !== null).join("   ")),
    ),
    body,
  );
  if (findings.clusters.length > FIRST) card.classList.add("bonmf-one-of-many");
  if (cluster >= FIRST) drawNear(card, fill);
  return card;
}

function showMajority({ label, share }: NonNullable<Cluster["majority"]>, sample: string): HTMLElement {
  const part = percent(share, 0);
  return element(
    "p",
    { class: "bonmf-badge", title: `${part} of its ${sample}s have the class ${label}` },
    element("span", {}, "mostly "),
    element("bdi", {}, label),
    element("b", {}, ` (${part})`),
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
  if (distinctive.length === 0) return element("p", { class: "bonmf-none" }, "Nothing sets it apart from the others.");
  return element(
    "ul",
    { class: "bonmf-distinctive", "aria-label": `Most distinctive of ${name}` },
    ...listFeatures(distinctive),
  );
}

/** Larger effects fill their half of the bar: a feature without spread would leave nothing to see of the others. */
const WIDEST = 4;

function listFeatures(distinctive: readonly DistinctiveFeature[]): HTMLElement[] {
  const most = Math.max(...distinctive.map(({ value, mean }) => value - mean));
  const reach = Math.min(WIDEST, Math.max(...distinctive.map(({ effect }) => (effect ? Math.abs(effect.d) : 0))));
  return distinctive.map((one) =>
    one.effect
      ? showEffect(one.name, one.effect, reach)
      : element(
          "li",
          {},
          element("span", { class: "bonmf-name", title: one.name }, one.name),
          element("span", {
            class: "bonmf-bar",
            style: `--bonmf-filled: ${(one.value - one.mean) / (most || 1)}`,
            "aria-hidden": "true",
          }),
        ),
  );
}

/** A bar to the right for more than elsewhere, to the left for less, and a line for its 95 % interval. */
function showEffect(name: string, effect: Effect, reach: number): HTMLElement {
  const { d, from, to, average, sd, elsewhere, binary } = effect;
  const show = (value: number) => (binary ? percent(value, 0) : decimal(value));
  const at = (value: number) => Math.min(1, Math.max(0, 0.5 + value / (2 * reach || 1)));
  const style = [
    `--bonmf-start: ${at(Math.min(0, d))}`,
    `--bonmf-end: ${at(Math.max(0, d))}`,
    `--bonmf-from: ${at(from)}`,
    `--bonmf-to: ${at(to)}`,
  ].join("; ");
  const size = `Cohen's d ${decimal(d)}, 95 % interval ${decimal(from)} to ${decimal(to)}`;
  return element(
    "li",
    { title: `${name}: ${d > 0 ? "higher" : "lower"} than elsewhere, ${size}` },
    element("span", { class: "bonmf-name" }, d > 0 ? "↑ " : "↓ ", name),
    element(
      "span",
      { class: "bonmf-value" },
      element("b", {}, show(average)),
      !binary && ` ± ${decimal(sd)}`,
      element("small", {}, ` elsewhere ${show(elsewhere)}`),
    ),
    element("span", { class: "bonmf-effect", style, "aria-hidden": "true" }, element("i", {})),
  );
}
