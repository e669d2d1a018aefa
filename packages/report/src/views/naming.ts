import { colourOf } from "./colour.js";
import { element } from "./element.js";
import type { ViewOptions } from "./options.js";

export function nameCluster(cluster: number, { nameCluster: name }: ViewOptions): string {
  return name?.(cluster) ?? `Cluster ${cluster}`;
}

/** A dot in the cluster's colour; its name always stands beside it. */
export function swatch(cluster: number, k: number): HTMLElement {
  return element("span", { class: "bonmf-swatch", style: `--bonmf-colour: ${colourOf(cluster, k)}` });
}

/** Text, or a button where choosing it does something. */
export function choosable(text: string, choose: (() => void) | undefined, attributes = {}): HTMLElement {
  if (!choose) return element("span", {}, text);
  const button = element("button", { type: "button", class: "bonmf-link", ...attributes }, text);
  button.addEventListener("click", choose);
  return button;
}
