import type { Option } from "../command.js";

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
