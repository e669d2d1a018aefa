import type { Label, Model } from "bonmf";
import { findDistinctive, findMajorities } from "bonmf-report/clusters";
import type { Terminal } from "../command.js";
import { type Column, clip, count, percent, replaceControls, table, widthOf } from "../show/text.js";
import { namesOf } from "./model-file.js";

export interface View {
  /** Which clusters, in order. */
  readonly clusters: readonly number[];
  /** How many features to name; 0 for features without meaningful names, such as pixels. */
  readonly top: number;
  /** Show all `top` names, however long the line; else those that fit. */
  readonly full?: boolean;
  readonly classes?: readonly Label[] | null;
}

/** One line a cluster: size, share, name, majority class, most distinctive features. */
export function tabulateClusters(model: Model, view: View, { style, width }: Terminal): string {
  const n = model.samples;
  const columns: Column[] = [
    { title: "cluster", right: true },
    { title: "size", right: true },
    { title: "share", right: true },
  ];
  const rows = view.clusters.map((j) => [String(j), count(model.counts[j]), percent(model.counts[j] / n)]);
  const names = namesOf(model);
  if (names) {
    columns.push({ title: "name" });
    rows.forEach((row, r) => {
      row.push(clip(replaceControls(names[view.clusters[r]]), 24) || "–");
    });
  }
  if (view.classes) {
    const majorities = findMajorities(view.classes, model.labels, model.k);
    columns.push({ title: "class" }, { title: "of it", right: true });
    rows.forEach((row, r) => {
      const most = majorities[view.clusters[r]];
      row.push(most ? clip(replaceControls(String(most.label)), 24) : "–", most ? percent(most.share) : "–");
    });
  }
  if (view.top > 0) {
    const used = widthOf(
      table(columns, rows, style)
        .split("\n")
        .sort((a, b) => widthOf(b) - widthOf(a))[0],
    );
    const room = view.full ? Number.POSITIVE_INFINITY : Math.max(24, width - used - 2);
    const distinctive = findDistinctive(model, view.top);
    columns.push({ title: "most distinctive" });
    rows.forEach((row, r) => {
      row.push(
        joinNames(
          distinctive[view.clusters[r]].map(({ name }) => replaceControls(name)),
          room,
        ),
      );
    });
  }
  return table(columns, rows, style);
}

/** As many whole names as fit. */
function joinNames(names: readonly string[], room: number): string {
  let text = "";
  for (const name of names) {
    const longer = text === "" ? name : `${text}, ${name}`;
    if (widthOf(longer) > room) return text === "" ? clip(name, room) : text;
    text = longer;
  }
  return text === "" ? "–" : text;
}
