import type { Findings } from "../findings.js";
import { colourOf } from "./colour.js";
import { element } from "./element.js";

type Named = Pick<Findings, "clusters">;

export function nameCluster({ clusters }: Named, cluster: number): string {
  return clusters[cluster].name ?? `Cluster ${cluster}`;
}

/** For places where it is clear that clusters are meant. */
export function nameBriefly({ clusters }: Named, cluster: number): string {
  return clusters[cluster].name ?? String(cluster);
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A dot in the cluster's colour; its name always stands beside it. */
export function swatch(cluster: number, k: number): HTMLElement {
  return element("span", { class: "bonmf-swatch", style: `--bonmf-colour: ${colourOf(cluster, k)}` });
}

/** Text, or a button where it can be chosen. */
export function choosable(text: string, choose: (() => void) | undefined, attributes = {}): HTMLElement {
  if (!choose) return element("span", {}, text);
  const button = element("button", { type: "button", class: "bonmf-link", ...attributes }, text);
  button.addEventListener("click", choose);
  return button;
}
