import { parseArgs } from "node:util";
import { askNearest } from "bonmf-data/nearest";
import type { Command, Option, Options } from "../command.js";
import { UserError } from "../errors.js";

export interface Parsed {
  readonly args: readonly string[];
  readonly options: Options;
}

type Spec = Pick<Command, "name" | "usage" | "options">;

/** Parses the arguments of a command. With --help the others are not checked. */
export function parse(command: Spec, argv: readonly string[]): Parsed {
  const specs = withGlobals(command.options);
  const given = new Map<string, string[]>();
  const args: string[] = [];
  const tokens = tokenize(specs, argv);
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) {
    return { args: [], options: checkValues([], new Map([["help", [""]]])) };
  }
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    const spec = specs.find(({ name }) => name === token.name);
    if (spec === undefined) throw unknownOption(command, specs, token.rawName);
    if (spec.value === undefined && token.value !== undefined) {
      throw new UserError(`${token.rawName} takes no value, but was given ${JSON.stringify(token.value)}`);
    }
    if (spec.value !== undefined) checkPresent(spec, token);
    given.set(spec.name, [...(given.get(spec.name) ?? []), token.value ?? ""]);
  }
  checkNeeds(specs, given);
  const options = checkValues(specs, given);
  checkCount(
    command,
    args,
    DATA_OPTIONS.some((name) => given.has(name)),
  );
  return { args, options };
}

function tokenize(specs: readonly Option[], argv: readonly string[]) {
  const options = Object.fromEntries(
    specs.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short ? { short } : {}) },
    ]),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function checkPresent(
  spec: Option,
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): void {
  const { rawName, value, inlineValue } = token;
  if (value === undefined) throw new UserError(`${rawName} needs a value: ${rawName} ${spec.value}`);
  // Without a value the next option would be taken as the value.
  if (!inlineValue && value.startsWith("-") && value.length > 1) {
    throw new UserError(
      `${rawName} needs a value, but is followed by ${value}`,
      `if that is the value, write --${spec.name}=${value}`,
    );
  }
}

function unknownOption({ name }: Spec, specs: readonly Option[], typed: string): UserError {
  const names = specs.map((spec) => `--${spec.name}`);
  const hint = askNearest(typed, names) ?? `bonmf ${name} --help lists its options`;
  return new UserError(`bonmf ${name} has no option ${typed}`, hint);
}

/** Options that name data instead of arguments. */
const DATA_OPTIONS = ["sql", "table", "parquet"];

/** Checks the number of arguments: [brackets] are optional, … repeats, and a query replaces data. */
function checkCount({ name, usage }: Spec, args: readonly string[], queried: boolean): void {
  const words = usage.split(/\s+/).filter((word) => word !== "");
  const needed = usage
    .replace(/\[[^\]]*\]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && !(queried && word.endsWith("…")));
  if (args.length < needed.length) {
    throw new UserError(
      `bonmf ${name} needs ${needed[args.length].replace("…", "")}: bonmf ${name} ${usage}`,
      `bonmf ${name} --help shows examples`,
    );
  }
  if (!usage.includes("…") && args.length > words.length) {
    throw new UserError(
      `bonmf ${name} takes ${usage || "no arguments"}, but was also given ${JSON.stringify(args[words.length])}`,
      `bonmf ${name} --help shows examples`,
    );
  }
}

/** Given values by option name, as typed; flags are "". */
type Given = ReadonlyMap<string, readonly string[]>;

/** Checks all values once; commands then read them without checks. */
function checkValues(specs: readonly Option[], given: Given): Options {
  const numbers = new Map<string, number>();
  for (const spec of specs) {
    for (const text of given.get(spec.name) ?? []) {
      const numeric = spec.type === "integer" || spec.type === "number";
      if (spec.words?.includes(text)) numbers.delete(spec.name);
      else if (numeric) numbers.set(spec.name, toNumber(spec, text));
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

/** Refuses options that mean nothing without another. */
function checkNeeds(specs: readonly Option[], given: Given): void {
  for (const { name, needs } of specs) {
    if (!needs || !given.has(name) || given.has(needs.option)) continue;
    throw new UserError(`--${name} ${needs.why}`, needs.hint);
  }
}

/** Splits at commas; "\," is a comma inside a name. */
function splitList(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");
}

function toNumber({ name, type, words = [] }: Option, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const fits = type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (fits) return value;
  const wanted = [type === "integer" ? "a whole number" : "a number", ...words].join(" or ");
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

const group = "General";

/** Options of every command. */
export const GLOBALS: readonly Option[] = [
  { name: "json", help: "Print one JSON object instead of tables", group },
  { name: "quiet", short: "q", help: "No progress and no notes", group },
  { name: "help", short: "h", help: "Show this help", group },
];

/** A command's own options and then the general ones; a command may say its own words about a general one. */
export function withGlobals(own: readonly Option[]): readonly Option[] {
  return [...own, ...GLOBALS.filter(({ name }) => !own.some((option) => option.name === name))];
}
