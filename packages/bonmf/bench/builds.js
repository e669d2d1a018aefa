// Compares this build with an earlier one on the rows of BENCHMARKS.md, by turns, each build in a process of its own:
//   node packages/bonmf/bench/builds.js EARLIER/packages/bonmf/dist [--only kmeans,nmf/optdigits-k10] [--repeats 7]
// A ratio is earlier / now: above 1 this build is faster. The labels of both must be equal.
import { parseArgs } from "node:util";
import { measureRow } from "./measure.js";
import { median, ratio } from "./report/ratios.js";
import { format } from "./report/tables.js";
import { ROWS } from "./rows.js";

const OURS = ["ours.js", "cold.js"];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, repeats: { type: "string", default: "7" } },
});
const [earlier] = positionals;
if (earlier === undefined) {
  console.error("usage: node packages/bonmf/bench/builds.js EARLIER/packages/bonmf/dist [--only …] [--repeats 7]");
  process.exit(2);
}
const only = values.only?.split(",") ?? null;
const rows = ROWS.filter(
  ({ id, task }) => task !== "limits" && (only?.some((name) => name === id || name === task) ?? true),
);

const HEAD = ["row", "contestant", "earlier, ms", "now, ms", "earlier / now", "min – max", "best / best", "labels"];
console.log(format(HEAD, []));
for (const row of rows) {
  const options = { repeats: Number(values.repeats), limit: 120 };
  const result = await measureRow({ ...row, field: bothBuilds(row.field) }, options, () => {});
  for (let at = 0; at < (result?.contestants.length ?? 0); at += 2) {
    const [now, then] = result.contestants.slice(at, at + 2);
    console.log(`| ${compare(row.id, now, then).join(" | ")} |`);
  }
}

function bothBuilds(field) {
  return (given) => {
    const out = (name) => given.out(`${name} (now)`);
    const then = field({ ...given, out: (name) => given.out(`${name} (earlier)`) });
    return field({ ...given, out }).flatMap((contestant, at) =>
      OURS.includes(contestant.script) ? [contestant, { ...then[at], env: { BONMF_BENCH_BUILD: earlier } }] : [],
    );
  };
}

function compare(id, now, then) {
  const found = ratio(now, then);
  if (found === null) return [id, now.name, "–", "–", "–", "–", "–", now.failure ?? then.failure ?? "did not run"];
  const ms = ({ seconds }) => (1000 * median(seconds)).toPrecision(3);
  const range = `${found.least.toFixed(2)} – ${found.most.toFixed(2)}`;
  // The fastest runs are the least disturbed: on a busy machine their ratio says more than the median.
  const best = (Math.min(...then.seconds) / Math.min(...now.seconds)).toFixed(2);
  const labels = now.digest === undefined ? "" : now.digest === then.digest ? "equal" : "DIFFER";
  return [id, now.name, ms(then), ms(now), `**${found.median.toFixed(2)}**`, range, best, labels];
}
