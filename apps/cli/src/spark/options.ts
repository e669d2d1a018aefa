import type { EngineName } from "bonmf";
import type { Target } from "bonmf-spark";
import { parseMemory } from "../cache/memory-size.js";
import type { Call, Option, Options } from "../command.js";
import { UserError } from "../errors.js";
import { WORD_OPTIONS } from "../read/word-options.js";

const group = "On a Spark cluster";
const needs = { option: "engine", why: "is for rows on a cluster, and needs --engine sc://host:15002" };

/** Options for rows on a cluster; --sql, --id, --features and --exclude apply there, too. */
export const SPARK_OPTIONS: readonly Option[] = [
  {
    name: "engine",
    value: "URL",
    help: "Work on a Spark cluster: the address of its Connect server, for example sc://host:15002",
    group,
  },
  {
    name: "parquet",
    value: "PATH",
    help: "The Parquet files on the cluster",
    group,
    needs: { ...needs, hint: "a local file needs no flag: bonmf fit rows.parquet" },
  },
  {
    name: "order",
    value: "COLUMNS",
    type: "list",
    help: "The columns that order the rows; default: a hash of their values",
    group,
    needs,
  },
  { name: "node", value: "COMMAND", help: "The command that starts Node on the executors; default node", group, needs },
];

/** Engines for samples on this machine; any other is the address of a cluster. */
const LOCAL_ENGINES = ["cpu", "gpu", "auto"] as const;

/** The options of a cluster, with an engine that may also be on this machine. @param what is done there */
export function engineOptions(what: string, group: string): Option[] {
  const engine: Option = {
    name: "engine",
    value: "NAME|URL",
    help: `Where to ${what}: ${LOCAL_ENGINES.join(", ")} (the GPU where it pays), or a Spark cluster, for example sc://host:15002; default cpu`,
    group,
  };
  return [engine, ...SPARK_OPTIONS.filter(({ name }) => name !== "engine")];
}

/** The engine of `bonmf fit` and `predict`, where it is on this machine; undefined: none was named, or a cluster. */
export function localEngine(options: Options): EngineName | undefined {
  const asked = options.string("engine");
  const engine = LOCAL_ENGINES.find((name) => name === asked);
  if (engine === undefined) {
    if (asked === undefined || asked.includes(":")) return undefined;
    const remedy = `choose ${LOCAL_ENGINES.join(", ")}, or name a Spark server: sc://host:15002`;
    throw new UserError(`--engine ${JSON.stringify(asked)} is not known`, remedy);
  }
  const other = SPARK_OPTIONS.find(({ name }) => name !== "engine" && options.flag(name));
  if (other === undefined) return engine;
  throw new UserError(`--${other.name} is for rows on a cluster, not for --engine ${engine}`, `omit --${other.name}`);
}

/** For commands that compute on the CPU or on a cluster. */
export function refuseLocalEngine(options: Options, command: string): void {
  const engine = localEngine(options);
  if (engine === undefined) return;
  throw new UserError(
    `--engine ${engine} is for bonmf fit and predict; ${command} computes on the CPU, or on a cluster`,
    "omit it",
  );
}

/** The address of a cluster, if one was given. */
export function clusterAddress(options: Options): string | undefined {
  return localEngine(options) === undefined ? options.string("engine") : undefined;
}

/** Options for local samples only. */
const LOCAL_ONLY = [
  "kind",
  "sheet",
  "member",
  "label",
  "weight",
  "one-hot",
  "missing",
  "size",
  "text",
  ...WORD_OPTIONS.map(({ name }) => name),
  "report",
  "columns",
  "why",
];

/** Where the rows are and how to read them. */
export function sparkInput({ args, options }: Call, data: readonly string[]) {
  const url = options.string("engine")!;
  const [file] = data;
  if (file !== undefined) {
    throw new UserError(
      `with --engine the rows stay on the cluster, but ${JSON.stringify(file)} was given as well`,
      "name rows on the cluster: --table, --sql or --parquet",
    );
  }
  const wrong = LOCAL_ONLY.find((name) => options.flag(name));
  if (wrong !== undefined) throw new UserError(`--${wrong} cannot be used with --engine ${hideToken(url)}`);
  const [table, query, parquet] = ["table", "sql", "parquet"].map((name) => options.string(name));
  if ([table, query, parquet].filter((place) => place !== undefined).length !== 1) {
    throw new UserError("with --engine, name the rows by exactly one of --table, --sql and --parquet");
  }
  return {
    url,
    table,
    query,
    parquet,
    order: options.list("order"),
    id: options.string("id"),
    features: options.list("features"),
    exclude: options.list("exclude"),
    width: options.number("width"),
    node: options.string("node"),
    memory: memoryOf(options.string("memory")),
    name: table ?? parquet ?? query ?? args.join(" "),
  };
}

/** Memory for each core of the cluster; a share of this machine's memory makes no sense there. */
function memoryOf(given: string | undefined): number | undefined {
  if (given?.trim().endsWith("%"))
    throw new UserError(`with --engine, --memory needs a size such as 2GB, not ${given}`);
  return given === undefined ? undefined : parseMemory(given);
}

/** A folder of Parquet files if the value looks like a path, else a table. */
export function targetOf(value: string): Target {
  return value.includes("/") || value.endsWith(".parquet") ? { parquet: value } : { table: value };
}

export function refuseScale(options: Options): void {
  if ((options.string("scale") ?? "none") === "none") return;
  throw new UserError("samples on a cluster cannot be scaled", "scale them in the query: --sql");
}

/** The address without its token. */
export function hideToken(url: string): string {
  return url.replace(/(token=)[^;]*/i, "$1…");
}
