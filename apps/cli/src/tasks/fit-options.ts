import type { FitOptions, InitName, MethodName, Model, ScaleName } from "bonmf";
import type { Option, Options } from "../command.js";
import { UserError } from "../errors.js";

/** The library's names, repeated here so that --help does not load the library. */
export const INITS: readonly InitName[] = ["columns", "sample", "plusplus", "nndsvd", "random"];
const SCALES: readonly (ScaleName | "auto")[] = [
  "auto",
  "none",
  "standard",
  "lift",
  "minmax",
  "shift",
  "split",
  "l2",
  "tfidf",
  "sqrt-tfidf",
  "exponent",
];

/** The library's iteration limits, only for the progress bar. */
export const LIMITS: Readonly<Record<MethodName, number>> = {
  bonmf: 300,
  spherical: 300,
  kmeans: 300,
  "em-onmf": 500,
  nmf: 500,
  hals: 500,
  onmf: 100,
  "onmf-ding": 500,
  "semi-binary": 100,
};
export const METHODS = Object.keys(LIMITS) as readonly MethodName[];

const group = "Factorisation";

const k: Option = { name: "k", short: "k", value: "N", type: "integer", help: "How many clusters", group };
const method: Option = {
  name: "method",
  short: "m",
  value: "NAME",
  choices: METHODS,
  help: "How to factorise; default bonmf",
  group,
};
const common: readonly Option[] = [
  {
    name: "scale",
    value: "HOW",
    choices: SCALES,
    help: "How features are scaled; default auto: one unit as it is, different units standardised, text tfidf",
    group,
  },
  {
    name: "init",
    value: "NAME",
    choices: INITS,
    help: "Initialisation; default plusplus for one-hot methods, else the method's own",
    group,
  },
  { name: "seed", value: "N", type: "integer", help: "The same seed gives the same clusters; default 0", group },
  {
    name: "restarts",
    value: "N",
    type: "integer",
    help: "Runs from different starts; the best is kept; default 10 where they are cheap, 3 or 1 for large data",
    group,
  },
  { name: "max-iterations", value: "N", type: "integer", help: "Stop after N iterations; default 100 to 500", group },
  {
    name: "tolerance",
    value: "SHARE",
    type: "number",
    help: "Stop when the objective changes by less than this share; default: the method's own",
    group,
  },
];
/** Penalties: their flags, their names in the library and what they weigh. */
const PENALTIES = [
  { flag: "l1-w", name: "l1W", what: "the sum of W, for zeros in the prototypes" },
  { flag: "l2-w", name: "l2W", what: "the squares of W" },
  { flag: "l1-h", name: "l1H", what: "the sum of H, for zeros in the codes" },
  { flag: "l2-h", name: "l2H", what: "the squares of H" },
] as const;
/** Flags of the objective. */
export const OBJECTIVE: readonly string[] = ["loss", ...PENALTIES.map(({ flag }) => flag)];

const special: readonly Option[] = [
  {
    name: "update",
    value: "RULE",
    choices: ["mean", "multiplicative"],
    help: "For bonmf: mean (default), or multiplicative, the literal rule of the paper",
    group,
  },
  { name: "alpha", value: "X", type: "number", help: "For onmf: the weight of orthogonality; default 1", group },
  {
    name: "sweeps",
    value: "N",
    type: "integer",
    help: "For semi-binary: sweeps over H for each step of W; default 1",
    group,
  },
  {
    name: "loss",
    value: "NAME",
    choices: ["frobenius", "kullback-leibler"],
    help: "For nmf: what is lowered, the squared error (frobenius, default) or the divergence, which suits counts",
    group,
  },
  ...PENALTIES.map(({ flag, what }): Option => {
    return {
      name: flag,
      value: "X",
      type: "number",
      help: `For nmf and hals: the weight of ${what}; default 0`,
      group,
    };
  }),
];
const threads: Option = {
  name: "threads",
  value: "N",
  type: "integer",
  help: "How many threads; default: as many as speed up the work. The result does not depend on it",
  group,
};

/** For one method, and for several at once. */
export const FIT_OPTIONS: readonly Option[] = [k, method, ...common, ...special, threads];
export const COMPARE_OPTIONS: readonly Option[] = [
  k,
  {
    ...method,
    name: "methods",
    value: "NAMES",
    type: "list",
    help: "The methods, separated by commas; default bonmf,kmeans,nmf",
  },
  ...common,
  threads,
];

export function needK(options: Options, remedy = "for example --k 10"): number {
  const given = options.number("k");
  if (given !== undefined) return given;
  throw new UserError("--k is missing: how many clusters?", remedy);
}

/** The options given; the library checks them and knows the defaults. */
export function fitOptions(options: Options): Omit<FitOptions, "k"> {
  return {
    method: options.string("method") as MethodName | undefined,
    scale: options.string("scale") as FitOptions["scale"],
    init: options.string("init") as InitName | undefined,
    seed: options.number("seed"),
    restarts: options.number("restarts"),
    maxIterations: options.number("max-iterations"),
    tolerance: options.number("tolerance"),
    update: options.string("update") as FitOptions["update"],
    alpha: options.number("alpha"),
    sweeps: options.number("sweeps"),
    loss: options.string("loss") as FitOptions["loss"],
    ...Object.fromEntries(PENALTIES.map(({ flag, name }) => [name, options.number(flag)])),
    threads: options.number("threads"),
    missing: options.string("missing") === "mask" ? "mask" : undefined,
  };
}

/** The flags that repeat the objective of a fit, where it is not the default. */
export function repeatObjective(settings: Model["settings"]): [flag: string, value: string | number][] {
  const flags = PENALTIES.map(({ flag, name }): [string, number] => [flag, settings[name]]);
  const given: [string, string | number][] = flags.filter(([, weight]) => weight > 0);
  if (settings.loss === "kullback-leibler") given.unshift(["loss", settings.loss]);
  return given;
}

/** For commands that need every value. @param doing what needs them, as the beginning of a sentence */
export function refuseMask(options: Options, doing: string): void {
  if (options.string("missing") !== "mask") return;
  throw new UserError(
    `${doing} needs every value, and --missing mask leaves some out`,
    "fill them: --missing median, or bonmf impute",
  );
}

/** Methods whose k can be chosen where values are missing: by how well hidden ones are predicted. */
const MIXING: readonly (string | undefined)[] = ["nmf", "hals", "semi-binary"];

/** For commands that choose k: by gaps between clusters, which need every value, or by hidden values. */
export function checkMask(options: Options, doing: string): void {
  if (options.string("missing") !== "mask" || MIXING.includes(options.string("method"))) return;
  throw new UserError(
    `${doing} looks for gaps between clusters, which needs every value, and --missing mask leaves some out`,
    "fill them: --missing median, or bonmf impute; --method nmf, hals or semi-binary chooses by hidden values",
  );
}
