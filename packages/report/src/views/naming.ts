import type { Findings } from "../findings.js";
import { colourOf } from "./colour.js";
import { element } from "./element.js";

type Named = Pick<Findings, "clusters">;
type Coloured = Named & { readonly run: Pick<Findings["run"], "fitted"> };

export function nameCluster({ clusters }: Named, cluster: number): string {
  return clusters[cluster].name ?? `Cluster ${clusters[cluster].number}`;
}

/** For places where it is clear that clusters are meant. */
export function nameBriefly({ clusters }: Named, cluster: number): string {
  return clusters[cluster].name ?? String(clusters[cluster].number);
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A dot in the cluster's colour; its name always stands beside it. */
export function swatch(findings: Coloured, cluster: number): HTMLElement {
  return element("span", { class: "bonmf-swatch", style: `--bonmf-colour: ${colourCluster(findings, cluster)}` });
}

/** Its colour goes by its number, so that merging others changes nothing. */
export function colourCluster({ clusters, run }: Coloured, cluster: number): string {
  return colourOf(clusters[cluster].number, run.fitted);
}

/** Text, or a button where it can be chosen. */
export function choosable(text: string, choose: (() => void) | undefined, attributes = {}): HTMLElement {
  if (!choose) return element("span", {}, text);
  const button = element("button", { type: "button", class: "bonmf-link", ...attributes }, text);
  button.addEventListener("click", choose);
  return button;
}
