// The bars that were set for the engine, and whether the results clear them.
import { exponent, geometricMean, ratio, ratioToBest } from "./ratios.js";
import { format, times } from "./tables.js";

const LARGE = 60_000;
/** What a measured exponent may exceed 1 by before growth counts as faster than linear. */
const SLACK = 0.1;

/** @param {object[]} results rows of all tasks */
export function writeBars(results) {
  const lines = judge(results).map(({ bar, where, value, least, digits }) => {
    const met = digits ? value <= least : value >= least;
    const shown = digits ? value.toFixed(digits) : `${times(value)} ×`;
    return [bar, where, shown, `${digits ? "≤" : "≥"} ${least}${digits ? "" : " ×"}`, met ? "met" : "**missed**"];
  });
  return lines.length === 0 ? "Not measured yet." : format(["bar", "row", "measured", "bar at", ""], lines);
}

function judge(results) {
  const rows = (task) => results.filter((row) => row.task === task);
  const large = rows("kmeans").filter(({ samples }) => samples >= LARGE);
  const dense = against("`kmeans` against the better of lloyd and elkan", large, 3, /^scikit-learn/);
  return [
    ...dense,
    ...mean("`kmeans`, geometric mean", dense, 4),
    ...against("`bonmf` against our `kmeans`", rows("bonmf"), 1, /^bonmf's kmeans$/),
    ...against("`nmf`, an iteration, against scikit-learn's mu", rows("nmf"), 1.5, /^scikit-learn mu$/),
    ...against("`nmf`, an iteration, against numpy", rows("nmf"), 1, /^numpy$/),
    ...against("sparse, an iteration, against scikit-learn", rows("sparse").map(eachIteration), 3, /^scikit-learn/),
    ...against("`kmeans` against ml-kmeans", rows("kmeans"), 20, /^ml-kmeans$/),
    ...against("cold run against Python", rows("cold"), 5, /^scikit-learn/),
    ...against("exact 1-NN against one numpy product", rows("neighbors"), 1, /^numpy product alone$/),
    ...against("thirty restarts against thirty fits", rows("restarts"), 1.2, /fits$/),
    ...rows("growth").flatMap(judgeGrowth),
  ];
}

/** One line a row: the first contestant against the best of those that the pattern names. */
function against(bar, rows, least, pattern) {
  return rows.flatMap(({ id, stale, contestants: [ours, ...others] }) => {
    const peers = others.filter(({ name }) => pattern.test(name));
    const found = ratioToBest(ours, peers);
    if (!found) return [];
    const doubt = peers.some(({ differs }) => differs) ? " (DIFFERS)" : "";
    const age = stale ? " (earlier build)" : "";
    return [{ bar, where: id + doubt + age, value: found.median, least }];
  });
}

function mean(bar, lines, least) {
  if (lines.length === 0) return [];
  return [{ bar, where: `${lines.length} rows`, value: geometricMean(lines.map(({ value }) => value)), least }];
}

function eachIteration({ contestants, ...row }) {
  const share = ({ seconds, iterations = 1, ...rest }) => ({ seconds: seconds.map((s) => s / iterations), ...rest });
  return { ...row, contestants: contestants.map(share) };
}

function judgeGrowth(row) {
  const value = exponent(row);
  const least = row.id === "growth/k" ? 1 : 1 + SLACK;
  return value === null ? [] : [{ bar: "exponent of growth", where: row.id, value, least, digits: 2 }];
}

/** The bars of the plot: how many times faster the first contestant of each row is than each of the others. */
export function collectRatios(results) {
  const plotted = results.filter(({ task }) => task !== "growth" && task !== "limits" && task !== "restarts");
  return plotted.flatMap(({ id, contestants: [ours, ...others] }) =>
    others.flatMap((peer) => {
      const found = /^bonmf/.test(peer.name) ? null : ratio(ours, peer);
      return found ? [{ row: id, peer: peer.name, ...found }] : [];
    }),
  );
}
