import type { Findings } from "../findings.js";
import { colourAt, colourOf } from "./colour.js";
import { element } from "./element.js";
import { colourCluster, nameBriefly, nameCluster } from "./naming.js";
import { nounsOf } from "./nouns.js";
import { decimal } from "./numbers.js";

/** Samples in groups, each with a colour and a name. */
export interface Groups {
  readonly title: string;
  /** The group of each sample of the map. */
  readonly of: ArrayLike<number>;
  readonly names: readonly string[];
  /** Short labels for the map. */
  readonly marks: readonly string[];
  readonly colours: readonly string[];
}

/** What gives the samples their colours. */
export interface Colouring {
  readonly title: string;
  readonly groups: Groups;
  /** Where samples are coloured along a scale: its ends, and the colour of each sample; groups only have labels. */
  readonly shades: { readonly least: number; readonly most: number; readonly of: readonly string[] } | null;
}

const MOST_COLOURS = 100;
/** Share of the samples at either end that share the last colour. */
const FAR = 0.01;

export function listColourings(findings: Findings): Colouring[] {
  const { map, agreement, clusters } = findings;
  const byCluster: Groups = {
    title: `${nounsOf(findings).cluster}s`,
    of: map.clusters,
    names: clusters.map(({ cluster }) => nameCluster(findings, cluster)),
    marks: clusters.map(({ cluster }) => markOf(findings, cluster)),
    colours: clusters.map(({ cluster }) => colourCluster(findings, cluster)),
  };
  const all: Colouring[] = [{ title: byCluster.title, groups: byCluster, shades: null }];
  if (map.classes && agreement && agreement.classes.length <= MOST_COLOURS) {
    const { classes } = agreement;
    const colours = classes.map((_, c) => colourOf(c, classes.length));
    const groups = { title: "classes", of: map.classes, names: classes, marks: classes, colours };
    all.push({ title: "classes", groups, shades: null });
  }
  all.push({ title: "closeness", groups: byCluster, shades: shadeValues(map.cosines) });
  return all;
}

/** The name a person gave, words of texts, or the number. */
function markOf(findings: Findings, cluster: number): string {
  const { name, distinctive } = findings.clusters[cluster];
  const words = distinctive.slice(0, 3).map((one) => one.name);
  return name === null && findings.form === "text" && words.length > 0
    ? words.join(" · ")
    : nameBriefly(findings, cluster);
}

function shadeValues(values: Float32Array): NonNullable<Colouring["shades"]> {
  const sorted = values.slice().sort();
  const last = sorted.length - 1;
  const [least, most] = [sorted[Math.floor(FAR * last)], sorted[Math.ceil((1 - FAR) * last)]];
  const share = (value: number) => Math.min(1, Math.max(0, (value - least) / (most - least || 1)));
  return { least, most, of: Array.from(values, (value) => colourAt(share(value))) };
}

/** The scale of colours with its ends. */
export function showShades({ least, most }: NonNullable<Colouring["shades"]>): HTMLElement {
  const stops = Array.from({ length: 9 }, (_, s) => colourAt(s / 8)).join(", ");
  return element(
    "span",
    { class: "bonmf-shades" },
    `cosine to the prototype ${decimal(least)} `,
    element("span", { class: "bonmf-ramp", style: `background: linear-gradient(to right, ${stops})` }),
    ` ${decimal(most)}`,
  );
}
