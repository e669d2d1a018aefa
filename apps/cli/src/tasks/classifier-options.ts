import type { ClassifierOptions, SchemeName } from "bonmf";
import type { Option, Options } from "../command.js";
import { UserError } from "../errors.js";

/** The library's names, repeated here so that --help does not load the library. */
const SCHEMES: readonly SchemeName[] = [
  ...([
    "majority",
    "prototypes",
    "nearest",
    "vote",
    "linear",
    "linear+codes",
    "coefficients",
    "onmf",
    "onmf+cos",
  ] as const),
];
const group = "Classification";

/** Options of classify, and of predict to use a classifier with other settings. */
export const SCHEME_OPTIONS: readonly Option[] = [
  {
    name: "scheme",
    value: "NAME",
    choices: SCHEMES,
    help: "How a class is found: majority of the cluster, prototypes of each class, nearest member of the cluster, a vote of the nearest samples, logistic regression …",
    group,
  },
  { name: "neighbors", value: "N", type: "integer", help: "For vote: how many samples vote; default 5", group },
  {
    name: "probes",
    value: "N",
    help: 'For vote: how many clusters to search; default "exact", as many as needed',
    group,
  },
  {
    name: "metric",
    value: "NAME",
    choices: ["angle", "distance", "within", "relevant"],
    help: "For vote: what makes samples near; within: distance after evening out the scatter within classes; relevant: each feature by how much it tells classes apart",
    group,
  },
  {
    name: "votes",
    value: "HOW",
    choices: ["equal", "closer"],
    help: "For vote: whether all votes count alike (default) or closer samples more, by 1 / distance",
    group,
  },
  {
    name: "penalty",
    value: "X",
    type: "number",
    help: "For linear: how strongly weights are held small; default 1 (scikit-learn's 1/C)",
    group,
  },
  {
    name: "class-weights",
    value: "HOW",
    choices: ["balanced"],
    help: "balanced: every class counts alike, however few samples it has, in votes and in training; without --scheme also in the choice",
    group,
  },
  {
    name: "reject-margin",
    value: "X",
    type: "number",
    help: "Give no class if the cosines to the two nearest prototypes differ by less than this",
    group,
  },
  {
    name: "reject-angle",
    value: "X",
    type: "number",
    help: "Give no class to samples farther than this from every prototype, in radians",
    group,
  },
  {
    name: "reject-probability",
    value: "X",
    type: "number",
    help: "Give no class if its probability is below this, for example 0.8",
    group,
  },
];

/** The least probability of an answer that is given; undefined where every one is. */
function readLeast(options: Options): number | undefined {
  const least = options.number("reject-probability");
  if (least === undefined || (least > 0 && least <= 1)) return least;
  throw new UserError(
    `--reject-probability must be above 0 and at most 1, not ${least}`,
    "--reject-probability 0.8 refuses answers that are right in fewer than eight of ten cases",
  );
}

/** The limits given; undefined where there is none. */
export function rejectOptions(options: Options): ClassifierOptions["reject"] {
  const reject = {
    margin: options.number("reject-margin"),
    angle: options.number("reject-angle"),
    probability: readLeast(options),
  };
  return Object.values(reject).some((limit) => limit !== undefined) ? reject : undefined;
}

/** The schemes that go by an option. */
const USERS: Readonly<
  Record<"neighbors" | "probes" | "metric" | "votes" | "penalty" | "class-weights", readonly SchemeName[]>
> = {
  neighbors: ["vote"],
  probes: ["vote"],
  metric: ["vote"],
  votes: ["vote"],
  penalty: ["linear", "linear+codes"],
  "class-weights": ["majority", "prototypes", "vote", "linear", "linear+codes"],
};

/** Refuses options that change nothing. @param metric of the classifier, where it is known beside the options */
export function checkSchemeOptions(options: Options, scheme: SchemeName, metric = options.string("metric")): void {
  for (const [name, users] of Object.entries(USERS)) {
    if (options.string(name) === undefined || users.includes(scheme)) continue;
    throw new UserError(
      `--${name} changes nothing with the scheme ${scheme}: it is for ${users.join(", ")}`,
      `omit --${name}, or choose another --scheme`,
    );
  }
  if (options.string("probes") !== undefined && metric !== undefined && metric !== "angle") {
    throw new UserError(
      `--probes changes nothing with --metric ${metric}, which compares with all training samples`,
      "omit --probes, or --metric",
    );
  }
}

/** The options given; the library checks the numbers. */
export function schemeOptions(options: Options): ClassifierOptions {
  return {
    scheme: options.string("scheme") as SchemeName | undefined,
    neighbors: options.number("neighbors"),
    probes: parseProbes(options.string("probes")),
    metric: options.string("metric") as ClassifierOptions["metric"],
    votes: options.string("votes") as ClassifierOptions["votes"],
    penalty: options.number("penalty"),
    classWeights: options.string("class-weights") as "balanced" | undefined,
    reject: rejectOptions(options),
  };
}

function parseProbes(text: string | undefined): ClassifierOptions["probes"] {
  if (text === undefined || text === "exact") return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UserError(`--probes needs a whole number or "exact", not ${JSON.stringify(text)}`);
}
