import { parseArgs } from "node:util";

const USAGE = `usage: node packages/bonmf/bench/run.js [--only name,…] [--repeats 5] [--limit 120] [--quick] [--write]

  --only     tasks (kmeans, nmf, …) or rows (kmeans/digits60k-k10), separated by commas
  --repeats  timed rounds after the round in which results are compared; 5, with --quick 3
  --limit    seconds after which a run is given up
  --quick    the small sizes alone, in two or three minutes
  --write    put the tables into BENCHMARKS.md and the plot into docs/benchmarks.svg
  --list     name the rows and stop`;

export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: "string", default: "" },
        repeats: { type: "string" },
        limit: { type: "string", default: "120" },
        quick: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) leave(USAGE, 0);
    const only = values.only.split(",").filter((name) => name !== "");
    const repeats = count("repeats", values.repeats ?? (values.quick ? "3" : "5"));
    return { ...values, only, repeats, limit: count("limit", values.limit) };
  } catch (error) {
    return leave(`${error.message}\n\n${USAGE}`, 2);
  }
}

function count(name, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} must be a whole number, 1 or more, not ${text}`);
  return Number(text);
}

function leave(text, code) {
  console.error(text);
  process.exit(code);
}
