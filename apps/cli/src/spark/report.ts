import type { Model } from "bonmf";
import type { Terminal } from "../command.js";
import { count, decimal, duration, plural } from "../show/numbers.js";
import { tame } from "../show/text.js";
import { tabulateClusters } from "../tasks/clusters.js";
import { describeFit, explainStop, MOST_CLUSTERS, outline } from "../tasks/report.js";
import { hideToken } from "./options.js";

export interface Seconds {
  read: number;
  fit: number;
  write: number;
}

export interface Fitted {
  readonly model: Model;
  /** The table, path or query. */
  readonly name: string;
  readonly url: string;
  readonly seconds: Seconds;
  readonly out: string | null;
  readonly assignments: string | null;
}

export function showFit(fitted: Fitted, terminal: Terminal): void {
  terminal.out(terminal.json ? JSON.stringify(toJson(fitted)) : describe(fitted, terminal));
}

function toJson({ model, url, seconds, out, assignments }: Fitted) {
  return {
    ...outline(model),
    seconds,
    engine: hideToken(url),
    model: out,
    assignments,
  };
}

function describe({ model, name, url, seconds, out, assignments }: Fitted, terminal: Terminal): string {
  const { style } = terminal;
  const shape = `${plural(model.samples, "sample")} × ${plural(model.scaler.features, "feature")}`;
  const shown = Array.from({ length: Math.min(model.k, MOST_CLUSTERS) }, (_, j) => j);
  const top = model.featureNames ? 8 : 0;
  const lines = [
    `${style.bold(tame(name))}  ${shape}, on ${hideToken(url)}, checked in ${duration(seconds.read)}`,
    `${style.bold(describeFit(model))}  ${plural(model.iterations, "iteration")}, ${explainStop(model)}, ` +
      `in ${duration(seconds.fit)}`,
    `relative error ${decimal(model.relativeError)}`,
    "",
    tabulateClusters(model, { clusters: shown, top }, terminal),
  ];
  if (model.k > MOST_CLUSTERS) lines.push(style.dim(`… and ${count(model.k - MOST_CLUSTERS)} more`));
  if (out || assignments) lines.push("");
  if (out) lines.push(`model written to ${style.accent(tame(out))}`);
  if (assignments) lines.push(`assignments written by the cluster to ${style.accent(tame(assignments))}`);
  return lines.join("\n");
}
