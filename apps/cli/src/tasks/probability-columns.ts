import type { Label } from "bonmf";
import type { Option, Options } from "../command.js";
import type { Column, Value } from "../write/table.js";
import type { Prediction } from "./predictor.js";

const WHICH = ["all", "answer", "none"] as const;
export type Which = (typeof WHICH)[number];

/** More classes than this get no column of their own unless asked for. */
const MOST = 20;

export const PROBABILITIES_OPTION: Option = {
  name: "probabilities",
  value: "WHICH",
  choices: WHICH,
  help: `Columns of probabilities: all classes (default up to ${MOST}), the answer's (default beyond), or none`,
  group: "Results",
};

export function readWhich(options: Options, classes: number): Which {
  const asked = WHICH.find((which) => which === options.string("probabilities"));
  return asked ?? (classes <= MOST ? "all" : "answer");
}

/** The columns, each with what it takes from a prediction. */
export function listProbabilities(
  which: Which,
  classes: readonly Label[],
): { readonly name: string; readonly type: Column["type"]; readonly of: (prediction: Prediction) => Value }[] {
  if (which === "none") return [];
  const answer = {
    name: "probability",
    type: "double",
    of: ({ probability }: Prediction) => probability ?? null,
  } as const;
  const each = classes.map((label, c) => ({
    name: `probability_${label}`,
    type: "double" as const,
    of: ({ probabilities }: Prediction) => probabilities?.[c] ?? null,
  }));
  return which === "all" ? [answer, ...each] : [answer];
}
