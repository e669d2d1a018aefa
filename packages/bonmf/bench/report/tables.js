// One Markdown table a task.
import { exponent, median, ratio } from "./ratios.js";

const LAYOUTS = { limits: tableLimits, growth: tableGrowth };

/** @param {object[]} rows results of one task */
export function writeTable(task, rows) {
  return rows.length === 0 ? "Not measured yet." : (LAYOUTS[task] ?? tableRatios)(rows);
}

function tableRatios(rows) {
  const head = [
    "row",
    "contestant",
    "seconds",
    "bonmf is … × as fast",
    "min – max",
    "first run",
    "iterations",
    "agreement",
  ];
  return format(
    head,
    rows.flatMap(({ id, stale, contestants }) => {
      const [ours] = contestants;
      return contestants.map((peer, at) => [at === 0 ? label(id, stale) : "", ...cells(ours, peer, at)]);
    }),
  );
}

function cells(ours, peer, at) {
  if (peer.seconds.length === 0) return [peer.name, `– (${guard(peer.failure ?? "did not run")})`, "", "", "", "", ""];
  const found = at === 0 ? null : ratio(ours, peer);
  const first = at > 0 && ours.first && peer.first ? times(peer.first / ours.first) : "";
  return [
    peer.name,
    seconds(median(peer.seconds)),
    found ? `**${times(found.median)}**` : "",
    found ? `${times(found.least)} – ${times(found.most)}` : "",
    first,
    peer.whole ? `${peer.iterations} in ${seconds(peer.whole)} s` : (peer.iterations ?? ""),
    at === 0 ? "" : agreement(ours, peer),
  ];
}

function agreement(ours, { name, agreement: share, off, digest, differs, varies, failure }) {
  const words = [
    share === undefined ? "" : `${(100 * share).toFixed(2)} %`,
    off === undefined ? "" : `objective ${off === 0 ? "equal" : `${off.toExponential(0)} off`}`,
    differs ? "DIFFERS" : "",
    // Threads must not change a bit.
    name === "bonmf, 1 thread" && digest !== ours.digest ? "NOT THE SAME BITS" : "",
    varies ? "varies from run to run" : "",
    failure ? guard(failure) : "",
  ];
  return words.filter((word) => word !== "").join(", ");
}

function tableGrowth(rows) {
  return rows
    .map((row) => {
      const points = row.contestants.map(({ name, seconds: all, failure }) => [
        Number(name).toLocaleString("en"),
        all.length > 0 ? seconds(median(all)) : `– (${guard(failure ?? "did not run")})`,
      ]);
      const grown = exponent(row);
      const size = row.id.split("/")[1];
      const words = grown === null ? "" : `\n\nTime grows as ${size} to the power ${grown.toFixed(2)}.`;
      return format([size, "seconds"], points) + words;
    })
    .join("\n\n");
}

function tableLimits([{ contestants }]) {
  return format(
    ["", "median", "best"],
    contestants.map(({ name, rates, unit, failure }) =>
      rates?.length > 0
        ? [name, `${median(rates).toFixed(1)} ${unit}`, `${Math.max(...rates).toFixed(1)} ${unit}`]
        : [name, `– (${guard(failure ?? "did not run")})`, ""],
    ),
  );
}

export function format(head, rows) {
  const line = (cellsOfLine) => `| ${cellsOfLine.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function times(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function seconds(value) {
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}

function label(id, stale) {
  return id.slice(id.indexOf("/") + 1) + (stale ? " (earlier build)" : "");
}

function guard(text) {
  return text.replaceAll("|", "\\|");
}
