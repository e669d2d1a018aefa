import type { Label } from "bonmf";
import { completeRecipe } from "bonmf-data";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { type Loaded, load } from "../input/input.js";
import type { TrainingSet } from "./train.js";

/** Samples of a file of their own, to test on. */
export interface TestSet extends TrainingSet {
  readonly loaded: Loaded;
  /** Classes that training did not see, with the number of their samples. */
  readonly unknown: readonly { readonly label: Label; readonly count: number }[];
}

/** Reads the file of --test as the training samples were read: the same columns, categories and words, in the same order. */
export async function readTestSet(
  call: Call,
  file: string,
  { data }: Loaded,
  learnt: readonly Label[],
): Promise<TestSet> {
  const classes = [...new Set(learnt)];
  const like = { features: data.features, recipe: completeRecipe(data), count: data.X.features };
  const label = call.options.string("label") ?? data.recipe.label;
  const reading = { like, label, noLabel: undefined, sql: undefined, size: undefined };
  const loaded = await load({ ...call, args: [file] }, reading, [file]);
  const { X, labels, weights } = loaded.data;
  if (labels === null) {
    throw new UserError(
      `${file} has no labels to test with`,
      "name the column of labels: --label COLUMN; bonmf predict answers without labels",
    );
  }
  const y = matchLabels(labels, classes);
  const known = new Set(classes);
  const counts = new Map<Label, number>();
  for (const name of y) if (!known.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const unknown = [...counts].map(([name, count]) => ({ label: name, count }));
  if (unknown.reduce((sum, { count }) => sum + count, 0) === y.length) {
    throw new UserError(
      `${file}: no sample has a class of the training samples: ${JSON.stringify(String(y[0]))} is not one of ` +
        `${classes
          .slice(0, 5)
          .map((name) => JSON.stringify(String(name)))
          .join(", ")}${classes.length > 5 ? " …" : ""}`,
      "name the column of labels: --label COLUMN",
    );
  }
  return { X, y, weights, loaded, unknown };
}

/** One file may have 1 where the other has "1". */
function matchLabels(labels: readonly Label[], classes: readonly Label[]): Label[] {
  const byText = new Map(classes.map((name) => [String(name), name]));
  return labels.map((label) => byText.get(String(label)) ?? label);
}
