import type { ClassifierOptions, SchemeName } from "bonmf";
import type { Option, Options } from "../command.js";
import { UserError } from "../errors.js";

/** The library's names; spelt out here so that --help need not load it. */
const SCHEMES: readonly SchemeName[] = ["majority", "nearest", "vote", "coefficients", "onmf", "onmf+cos"];
const group = "Classification";

/** How a class is found: for making a classifier, and for using one otherwise than it was made. */
export const SCHEME_OPTIONS: readonly Option[] = [
  {
    name: "scheme",
    value: "NAME",
    choices: SCHEMES,
    help: "The class of a cluster's majority, of its nearest member, or a vote of the nearest samples",
    group,
  },
  { name: "neighbors", value: "N", type: "integer", help: "For vote: how many samples vote; default 5", group },
  {
    name: "probes",
    value: "N",
    help: 'For vote: how many clusters to look into; default "exact", as many as it takes',
    group,
  },
  {
    name: "reject-margin",
    value: "X",
    type: "number",
    help: "Give no class where the two nearest prototypes' cosines differ by less",
    group,
  },
  {
    name: "reject-angle",
    value: "X",
    type: "number",
    help: "Give no class to samples further than this from every prototype, in radians",
    group,
  },
];

/** What was asked for; undefined where nothing was. The library checks the numbers. */
export function schemeOptions(options: Options): ClassifierOptions {
  const margin = options.number("reject-margin");
  const angle = options.number("reject-angle");
  return {
    scheme: options.string("scheme") as SchemeName | undefined,
    neighbors: options.number("neighbors"),
    probes: parseProbes(options.string("probes")),
    reject: margin === undefined && angle === undefined ? undefined : { margin, angle },
  };
}

function parseProbes(text: string | undefined): ClassifierOptions["probes"] {
  if (text === undefined || text === "exact") return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UserError(`--probes needs a whole number or "exact", not ${JSON.stringify(text)}`);
}
