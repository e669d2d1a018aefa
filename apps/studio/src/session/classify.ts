import { type Classifier, classifier, countWords, type Matrix, type Model } from "bonmf";
import type { Data } from "../data/build.js";
import { type Assignments, explainRow, showRow } from "./explore.js";
import type { Answer, Input } from "./protocol.js";

/** Most training samples for an exact neighbour search in the page. */
const MANY = 50_000;

export async function train(model: Model, { X, labels }: Data): Promise<Classifier | null> {
  if (!labels) return null;
  const scheme = X.samples > MANY ? "majority" : "vote";
  return classifier(model, X, labels, { scheme, neighbors: Math.min(5, X.samples) });
}

/** Where a new sample belongs, and why. */
export function answer(
  data: Data,
  model: Model,
  assignments: Assignments,
  trained: Classifier | null,
  input: Input,
): Answer {
  const { X, known } = readInput(data, input);
  const row = X.row(0);
  const explanation = trained?.explain(X)[0] ?? null;
  const { cluster, cosine, margin } = model.explain(X)[0];
  const { rival, reasons, cosines } = explainRow(data, model, row, cluster);
  return {
    cluster,
    rival,
    cosine,
    margin,
    cosines: Array.from(cosines),
    label: explanation ? String(explanation.label) : null,
    share: explanation?.share ?? null,
    neighbor: explanation?.neighbor ? showRow(data, model, assignments, explanation.neighbor.index) : null,
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
