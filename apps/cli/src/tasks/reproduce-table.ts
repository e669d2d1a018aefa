import { describe, HEADS, head, LEGEND, type Line, layOut, type Results } from "bonmf-reproduce";
import type { Style } from "../command.js";
import { table, wrap } from "../show/text.js";

/** The results for people. */
export function tabulateResults(results: Results, style: Style, width: number): string {
  const blocks = results.datasets.flatMap((block) => {
    const rows = block.lines.map((line) => paint(line, layOut(line), style));
    return [`${style.bold(block.title)}  ${describe(block)}`, table(HEADS, rows, style), ""];
  });
  const bars = results.bars.map(
    ({ claim, met, seen }) => `${met ? style.good("met") : style.bad("missed")}  ${claim}: ${seen}`,
  );
  const choices = results.choices.flatMap(({ question, choice }) =>
    wrap(`${question}: ${choice}`, width - 2).map((line, l) => `${l === 0 ? "" : "  "}${line}`),
  );
  return [
    style.dim(head(results)),
    "",
    ...blocks,
    ...wrap(LEGEND, width).map(style.dim),
    "",
    ...(bars.length > 0 ? [...bars, ""] : []),
    style.bold("What the paper leaves open, and what was chosen"),
    ...choices,
  ].join("\n");
}

function paint({ mark }: Line, cells: readonly string[], { good }: Style): readonly string[] {
  return mark === null ? cells : cells.map((cell, c) => (c === 5 ? good(cell) : cell));
}
