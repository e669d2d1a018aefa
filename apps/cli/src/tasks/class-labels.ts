import { isQuantity, type Label, numericLabels } from "bonmf";
import { listNames, nameAsTexts } from "bonmf-data";
import { quoteWord } from "../args/quote.js";
import type { Terminal } from "../command.js";
import { UserError } from "../errors.js";
import type { Data } from "../read/data.js";
import { count } from "../show/text.js";
import type { TrainingSet } from "./train.js";

/** The samples with their classes; refuses labels that no classifier can learn. */
export function needLabels({ X, labels, weights, recipe }: Data, source: string): TrainingSet {
  if (labels === null) {
    // Texts and pictures in files have no columns.
    const files = recipe.kind === "images" || (recipe.kind === "text" && recipe.text?.column === undefined);
    const remedy = files
      ? "put the files of each class into a folder of its own and write --label folder"
      : nameColumn(recipe);
    throw new UserError(`${source} has no labels to learn`, remedy);
  }
  const sizes = countLabels(labels);
  if (sizes.size < 2) {
    const name = JSON.stringify(labels[0]);
    throw new UserError(`all samples of ${source} have the class ${name}: a classifier needs at least two classes`);
  }
  const numbers = numericLabels([...sizes.keys()], labels.length);
  if (numbers !== null && isQuantity(numbers)) throw refuseQuantity({ labels, recipe }, source);
  if (sizes.size === labels.length) {
    throw new UserError(
      `${source}: ${nameLabel(recipe)} is different for every sample: nothing can be learnt from it`,
      "name a column of classes: --label COLUMN",
    );
  }
  return { X, y: labels, weights };
}

function nameLabel({ label }: Data["recipe"]): string {
  return label === undefined ? "the label" : `the label ${JSON.stringify(label)}`;
}

/** Of labels that are too many different numbers, in the file or in the part to train on. */
export function refuseQuantity({ labels, recipe }: Pick<Data, "labels" | "recipe">, source: string): UserError {
  const { distinct, min, max } = numericLabels([...new Set(labels)], labels!.length)!;
  const { label } = recipe;
  const asTexts = label === undefined ? "" : `; if they do name classes, make them texts: ${nameAsTexts(label)}`;
  return new UserError(
    `${source}: ${nameLabel(recipe)} has ${count(distinct)} different numbers from ${min} to ${max}: a quantity, not classes`,
    `write classes in place of the numbers (low, middle, high), or name a column of classes: --label COLUMN${asTexts}`,
  );
}

/** Columns of few different texts, and those left out because they look like labels. */
function nameColumn({ leftOut = {}, categories = {} }: Data["recipe"]): string {
  const [first] = [...Object.keys(leftOut).filter((name) => leftOut[name] === "label"), ...Object.keys(categories)];
  const example = first === undefined ? "" : `, for example --label ${quoteWord(first)}`;
  return `name the column of labels: --label COLUMN${example}`;
}

/** Names the classes that cannot be both learnt and tested. */
export function noteSingles(labels: readonly Label[], terminal: Terminal): void {
  const single = [...countLabels(labels)].filter(([, size]) => size === 1).map(([name]) => String(name));
  if (single.length === 0) return;
  const have = single.length === 1 ? "class has" : "classes have";
  const why = "too few to learn from some and test on others";
  terminal.note(`note: ${count(single.length)} ${have} a single sample, ${why}: ${listNames(single)}`);
}

/** Names classes that were probably meant to be one. */
export function noteTwins(labels: readonly Label[], terminal: Terminal): void {
  const kinds = new Map<string, string[]>();
  for (const name of [...new Set(labels)].map(String)) {
    const plain = name.trim().toLowerCase();
    kinds.set(plain, [...(kinds.get(plain) ?? []), name]);
  }
  const twins = [...kinds.values()].filter((names) => names.length > 1).flat();
  if (twins.length > 0) terminal.note(`note: classes that differ only by spaces or capitals: ${listNames(twins)}`);
}

function countLabels(labels: readonly Label[]): Map<Label, number> {
  const sizes = new Map<Label, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  return sizes;
}
