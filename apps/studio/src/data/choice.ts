import { guessSize, type Size, type TableOptions, type TablePlan } from "bonmf-data";
import type { Source } from "./source.js";

/** What people decide themselves, in the words of the command's flags; the plan decides the rest. */
export interface Choice {
  /** Null: no label. */
  readonly label?: string | null | undefined;
  readonly id?: string | undefined;
  /** The column whose words become the features. */
  readonly text?: string | undefined;
  /** Words of the texts that are left out beside the stop words of their language. */
  readonly leaveOut?: readonly string[] | undefined;
  /** Phrases of up to so many words are features too. Default 1. */
  readonly longest?: number | undefined;
  /** The list, or the file, with the vectors of the texts. */
  readonly vectors?: string | undefined;
  /** How much of the likeness of two texts is that of their vectors. Default 0.5. */
  readonly vectorWeight?: number | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly oneHot?: readonly string[] | undefined;
  readonly numbers?: readonly string[] | undefined;
  readonly missing?: "mean" | "zero" | "drop" | undefined;
  /** How samples are shown as pictures; null: not at all. */
  readonly image?: Size | null | undefined;
}

/** A choice that names the text that a plan has found: `bonmf topics` looks for it in another way. */
export function nameText(choice: Choice, { roles }: { readonly roles: readonly Role[] }, source: Source): Choice {
  const place = roles.indexOf("text");
  if (source.form === "matrix" || choice.text !== undefined || place < 0) return choice;
  const columns = source.columns.map(({ name }, c) => ({ name, role: roles[c] }));
  return assignRole(choice, columns, columns[place].name, "text");
}

/** What becomes of a column. */
export type Role = "feature" | "one-hot" | "label" | "id" | "text" | "out";

/** Files of plain text say themselves what is what; of other files nothing is said yet. */
export function firstChoice(source: Source): Choice {
  if (source.form === "matrix" || source.kind !== "text") return {};
  const has = (wanted: string) => source.columns.some(({ name }) => name === wanted);
  return { text: "text", label: has("folder") ? "folder" : null, ...(has("file") && { id: "file" }) };
}

/** The command's flags for a choice. */
export function toOptions({ label, id, text, leaveOut, longest, ...choice }: Choice): TableOptions {
  const { exclude, oneHot, numbers, missing } = choice;
  const words = { moreStopWords: leaveOut, longest };
  return { label: label ?? undefined, noLabel: label === null, id, text, words, exclude, oneHot, numbers, missing };
}

/** How samples are shown as pictures: as people say, else where numbered features make a square. */
export function chooseImage({ image }: Choice, features: number, names: readonly string[] | null): Size | null {
  if (image === undefined) return guessSize(features, names);
  return image && image.width * image.height === features ? image : null;
}

/**
 * What becomes of each column.
 *
 * @param plan null where the words of a chosen column are the features
 */
export function listRoles(
  columns: readonly { readonly name: string }[],
  choice: Choice,
  plan: TablePlan | null,
): Role[] {
  const { label, id, text } = plan ?? choice;
  const roles = new Map<string | null | undefined, Role>();
  for (const { column, values } of plan?.parts ?? []) roles.set(column, values ? "one-hot" : "feature");
  roles.set(text, "text").set(id, "id").set(label, "label");
  return columns.map(({ name }) => roles.get(name) ?? "out");
}

/** Gives a column a role, and takes its old one away. */
export function assignRole(
  choice: Choice,
  columns: readonly { readonly name: string; readonly role: Role }[],
  name: string,
  role: Role,
): Choice {
  const rest = dropColumn(choice, name);
  const add = (list: readonly string[] | undefined) => [...(list ?? []), name];
  switch (role) {
    case "label":
      return { ...rest, label: name };
    case "id":
      return { ...rest, id: name };
    case "out":
      return { ...rest, exclude: add(rest.exclude) };
    case "text": {
      // Nothing is planned for the words of a chosen column, so what the plan has found is said.
      const found = (wanted: Role) => columns.find((one) => one.role === wanted && one.name !== name)?.name;
      return { ...rest, text: name, label: found("label") ?? null, id: found("id") };
    }
    case "one-hot":
      return { ...rest, text: undefined, oneHot: add(rest.oneHot) };
    case "feature":
      return { ...rest, text: undefined, numbers: add(rest.numbers) };
  }
}

function dropColumn({ label, id, text, exclude, oneHot, numbers, ...rest }: Choice, name: string): Choice {
  const keep = <T extends string | null | undefined>(held: T) => (held === name ? undefined : held);
  const without = (list: readonly string[] | undefined) => {
    const others = list?.filter((one) => one !== name);
    return others && others.length > 0 ? others : undefined;
  };
  return {
    ...rest,
    label: keep(label),
    id: keep(id),
    text: keep(text),
    exclude: without(exclude),
    oneHot: without(oneHot),
    numbers: without(numbers),
  };
}
