import { describe, HEADS, head, LEGEND, layOut } from "./layout.js";
import { FIGURES } from "./paper-figures.js";
import type { Results } from "./summary.js";

/** One table of accuracies, then one table a dataset. */
export function toMarkdown(results: Results): string {
  const { datasets, bars, choices } = results;
  const titles = datasets[0].lines.map(({ title }) => title);
  const overview = datasets.map((block) => [
    block.title,
    ...block.lines.map((line) => layOut(line)[5].trim()),
    FIGURES.get(block.name)?.figures.algorithm1.accuracy.toFixed(2) ?? "",
  ]);
  return `${[
    "# The paper's Table 2, run again",
    `${head(results)}: \`bonmf reproduce --runs ${results.runs} --seed ${results.seed}\`.`,
    LEGEND,
    "## Accuracy",
    draw(["dataset", ...titles, "paper, Algorithm 1"], overview),
    ...datasets.flatMap((block) => [
      `## ${block.title}`,
      describe(block),
      draw(
        HEADS.map(({ title }) => title),
        block.lines.map((line) => layOut(line).map((cell) => cell.trim())),
      ),
    ]),
    ...(bars.length > 0
      ? [
          "## Claims",
          bars.map(({ claim, met, seen }) => `- ${met ? "met" : "**missed**"}: ${claim}: ${seen}`).join("\n"),
        ]
      : []),
    "## What the paper leaves open, and what was chosen",
    choices.map(({ question, choice }) => `- ${question}: ${choice}`).join("\n"),
  ].join("\n\n")}\n`;
}

function draw(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = `|${heads.map((_, c) => (c === 0 ? " --- |" : " ---: |")).join("")}`;
  return [line(heads), rule, ...rows.map(line)].join("\n");
}
