import { classifier, countWords, type Label, type Matrix, type Model } from "bonmf";
import type { Merged } from "bonmf-report";
import type { Data } from "../data/build.js";
import { type Assignments, explainRow, showRow } from "./explore.js";
import type { Answer, Input } from "./protocol.js";

/** Most training samples for an exact neighbour search in the page. */
const MANY = 50_000;

/** Says the class of a sample; null for those that have none. */
export type Classify = (X: Matrix) => { label: Label; share: number; nearest: number | null } | null;

export async function train(model: Model, { X, labels }: Data): Promise<Classify> {
  if (!labels) return () => null;
  const neighbors = Math.min(5, X.samples);
  const trained = await classifier(model, X, labels, { scheme: X.samples > MANY ? "majority" : "vote", neighbors });
  return (one) => {
    const { label, share, neighbor } = trained.explain(one)[0];
    return label === null ? null : { label, share, nearest: neighbor?.index ?? null };
  };
}

/** Where a new sample belongs, and why. */
export function answer(data: Data, merged: Merged, assignments: Assignments, classify: Classify, input: Input): Answer {
  const { X, known } = readInput(data, input);
  const row = X.row(0);
  const found = classify(X);
  const { cluster, cosine, margin } = merged.explain(X)[0];
  const { rival, reasons, closest } = explainRow(data, merged, row, cluster);
  return {
    cluster: merged.numbers[cluster],
    rival,
    cosine,
    margin,
    closest,
    label: found && String(found.label),
    share: found?.share ?? null,
    neighbor: (found?.nearest ?? null) === null ? null : showRow(data, merged, assignments, found!.nearest!),
    reasons: data.image ? [] : reasons,
    known,
  };
}

function readInput({ X, features }: Data, input: Input): { X: Matrix; known: number } {
  if (input.type === "text") {
    const { X } = countWords([input.text], { vocabulary: features ?? [] });
    if (X.values.length === 0) throw new Error("none of these words occurs in the texts of the fit: try others");
    return { X, known: X.values.length };
  }
  const one = X.slice(0, 1).toDense().take([0]);
  one.data.set(input.values);
  if (one.data.every((value) => value === 0)) throw new Error("nothing is there yet: draw or type something");
  return { X: one, known: input.values.length };
}
