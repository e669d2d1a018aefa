// BENCHMARKS.md: prose by hand, tables between markers.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { TASKS } from "../rows.js";
import { collectRatios, writeBars } from "./bars.js";
import { drawPlot } from "./plot.js";
import { writeTable } from "./tables.js";

const DOCUMENT = new URL("../../../../BENCHMARKS.md", import.meta.url);
const PLOT = new URL("../../../../docs/benchmarks.svg", import.meta.url);

/** Puts the tables, the bars and the machine into the document, and draws the plot. */
export function writeDocument(results, { processor, software }) {
  let text = readFileSync(DOCUMENT, "utf8");
  for (const task of Object.keys(TASKS)) {
    const rows = results.filter((row) => row.task === task);
    text = replaceSection(text, task, writeTable(task, rows));
  }
  text = replaceSection(text, "bars", writeBars(results));
  text = replaceSection(text, "machine", `${processor}.\n\n${software}.`);
  writeFileSync(DOCUMENT, text);
  mkdirSync(new URL(".", PLOT), { recursive: true });
  writeFileSync(PLOT, drawPlot(collectRatios(results)));
}

function replaceSection(text, name, content) {
  const open = `<!-- bench:${name} -->`;
  const close = `<!-- /bench:${name} -->`;
  const from = text.indexOf(open);
  const to = text.indexOf(close);
  if (from < 0 || to < from) throw new Error(`BENCHMARKS.md lacks the markers ${open} … ${close}: put them back`);
  return `${text.slice(0, from + open.length)}\n${content}\n${text.slice(to)}`;
}
