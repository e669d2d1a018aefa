import type { Findings } from "bonmf-report";
import { isolate } from "../session/isolate.js";
import { type LabelKind, mapView } from "../state/map.js";
import { run, shown } from "../state/store.js";
import { clusterGroups, type Groups } from "./colouring.js";

const WORDS = 3;
const LONGEST = 34;

/** The labels that there can be. */
export function listLabelKinds(groups: Groups | null, findings: Findings | null): LabelKind[] {
  if (!findings || groups !== clusterGroups.value) return ["names", "none"];
  const pictured = findings.pictures !== null;
  const worded = findings.clusters.some(({ distinctive }) => distinctive.length > 0);
  return ["names", ...(worded ? ["words" as const] : []), ...(pictured ? ["pictures" as const] : []), "none"];
}

/** What was chosen, or what suits the data: pictures, words of texts, names. */
export function labelKind(groups: Groups): LabelKind {
  const kinds = listLabelKinds(groups, shown.value);
  const { value: chosen } = mapView.labels;
  if (chosen && kinds.includes(chosen)) return chosen;
  if (kinds.includes("pictures")) return "pictures";
  return kinds.includes("words") && shown.value?.form === "text" ? "words" : "names";
}

/** A cluster that a person named goes by that name. */
export function labelText(groups: Groups, kind: LabelKind, group: number): string {
  const named = groups === clusterGroups.value && run.value?.names[group];
  const words = kind === "words" && !named ? describeCluster(group) : "";
  return shorten(words || groups.names[group]);
}

function describeCluster(number: number): string {
  const { value: findings } = shown;
  const cluster = findings?.clusters.find((one) => one.number === number);
  const arrow = (direction: "high" | "low") => (findings?.form === "text" ? "" : direction === "high" ? " ↑" : " ↓");
  const words =
    cluster?.distinctive.slice(0, WORDS).map(({ name, direction }) => `${isolate(name)}${arrow(direction)}`) ?? [];
  return words.join(" · ");
}

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Letters with their marks, as people count them. */
export function splitLetters(text: string): string[] {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}

/** Marks stay with their letter. */
export function shorten(text: string): string {
  const split = splitLetters(text);
  return split.length > LONGEST ? `${split.slice(0, LONGEST - 1).join("")}…` : text;
}
