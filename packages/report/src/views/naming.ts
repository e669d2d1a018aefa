import type { Findings } from "../findings.js";
import { drawPixels } from "./canvas.js";
import { colourOf } from "./colour.js";
import { element } from "./element.js";

type Named = Pick<Findings, "clusters">;
type Coloured = Named & Pick<Findings, "pictures"> & { readonly run: Pick<Findings["run"], "fitted"> };

export function nameCluster({ clusters }: Named, cluster: number): string {
  return clusters[cluster].name ?? `Cluster ${clusters[cluster].number}`;
}

/** The first words that set it apart and are not in its name; none for pictures and tables. */
export function tellingWords({ clusters, form }: Pick<Findings, "clusters" | "form">, cluster: number, most: number) {
  if (form !== "text") return [];
  const { name, distinctive } = clusters[cluster];
  const said = name?.split(", ") ?? [];
  return distinctive.flatMap((one) => (said.includes(one.name) ? [] : [one.name])).slice(0, most);
}

/** For places where it is clear that clusters are meant. */
export function nameBriefly({ clusters }: Named, cluster: number): string {
  return clusters[cluster].name ?? String(clusters[cluster].number);
}

/** The prototype of pictures, framed in the cluster's colour, else a dot in it; the cluster's name always stands beside it. */
export function swatch(findings: Coloured, cluster: number): HTMLElement {
  const style = `--bonmf-colour: ${colourCluster(findings, cluster)}`;
  const { picture } = findings.clusters[cluster];
  if (!picture || !findings.pictures) return element("span", { class: "bonmf-swatch", style });
  const face = drawPixels(picture, findings.pictures, findings.pictures, "");
  // Its name is said already.
  face.removeAttribute("aria-label");
  face.setAttribute("aria-hidden", "true");
  return element("span", { class: "bonmf-face", style }, face);
}

/** Its colour goes by its number, so that merging others changes nothing. */
export function colourCluster({ clusters, run }: Coloured, cluster: number): string {
  return colourOf(clusters[cluster].number, run.fitted);
}

/** Text, or a button where it can be chosen. */
export function choosable(text: string, choose: (() => void) | undefined, attributes = {}): HTMLElement {
  if (!choose) return element("span", { dir: "auto" }, text);
  const button = element("button", { type: "button", class: "bonmf-link", dir: "auto", ...attributes }, text);
  button.addEventListener("click", choose);
  return button;
}
