import { askNearest } from "bonmf-data/nearest";
import type { Option, Options } from "../command.js";
import { UserError } from "../errors.js";

/** Given values by option name, as typed; flags are "". */
export type Given = ReadonlyMap<string, readonly string[]>;

/** Checks all values once; commands then read them without checks. */
export function checkValues(specs: readonly Option[], given: Given): Options {
  const numbers = new Map<string, number>();
  for (const spec of specs) {
    for (const text of given.get(spec.name) ?? []) {
      if (spec.type === "integer" || spec.type === "number") numbers.set(spec.name, toNumber(spec, text));
      if (spec.choices) checkChoice(spec, text);
    }
  }
  const last = (name: string) => given.get(name)?.at(-1);
  const isList = (name: string) => specs.find((spec) => spec.name === name)?.type === "list";
  return {
    string: last,
    number: (name) => numbers.get(name),
    flag: (name) => given.has(name),
    list: (name) => (isList(name) ? given.get(name)?.flatMap(splitList) : given.get(name)?.slice()),
  };
}

/** Splits at commas; "\," is a comma inside a name. */
function splitList(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");
}

function toNumber({ name, type }: Option, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const fits = type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (fits) return value;
  const wanted = type === "integer" ? "a whole number" : "a number";
  throw new UserError(`--${name} needs ${wanted}, not ${JSON.stringify(text)}`);
}

function checkChoice({ name, type, choices = [] }: Option, text: string): void {
  for (const part of type === "list" ? splitList(text) : [text]) {
    if (choices.includes(part)) continue;
    throw new UserError(
      `--${name} ${JSON.stringify(part)} is not known: choose one of ${choices.join(", ")}`,
      askNearest(part, choices),
    );
  }
}
