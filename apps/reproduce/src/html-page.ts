import type { Cell } from "./cell.js";
import { findLearner, LEARNERS } from "./columns.js";
import { findPaperDataset } from "./datasets.js";
import { describe, HEADS, head, LEGEND, layOut } from "./layout.js";
import { type Curves, colourOf, plotAccuracy, plotCurves, plotTime } from "./plots.js";
import { showPrototypes } from "./prototypes.js";
import type { Block, Results } from "./summary.js";
import { escapeXml } from "./svg-document.js";

/** One page that needs nothing else. */
export function toPage(results: Results, cells: Iterable<Cell>): string {
  const first = [...cells].filter(({ run }) => run === 0);
  const { datasets, bars, choices } = results;
  const item = (parts: readonly string[]) => `<li>${parts.map(escapeXml).join(" ")}</li>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>bonmf reproduce</title>
<style>${STYLE}</style>
<main>
<h1>The paper's Table 2, run again</h1>
<p>${escapeXml(head(results))}.</p>
<p>${escapeXml(LEGEND)} Rings and hollow squares are the paper's figures.</p>
<nav>${datasets.map(({ name, title }) => `<a href="#${name}">${escapeXml(title)}</a>`).join(" ")}</nav>
<ul>${bars.map(({ claim, met, seen }) => item([met ? "✓" : "✗", `${claim}: ${seen}`])).join("")}</ul>
${datasets
  .map((block) =>
    section(
      block,
      first.filter(({ dataset }) => dataset === block.name),
    ),
  )
  .join("\n")}
<h2>What the paper leaves open, and what was chosen</h2>
<ul>${choices.map(({ question, choice }) => item([`${question}:`, choice])).join("")}</ul>
</main>
</html>
`;
}

function section(block: Block, first: readonly Cell[]): string {
  const curves = Object.fromEntries(
    block.lines.flatMap(({ column }) => {
      const curve = first.find((cell) => cell.column === column)?.curve;
      return curve ? [[findLearner(column).name, curve] as const] : [];
    }),
  );
  const prototypes = first.find((cell) => cell.prototypes !== undefined)?.prototypes;
  const { look } = findPaperDataset(block.name);
  return `<section id="${block.name}">
<h2>${escapeXml(block.title)}</h2>
<p>${escapeXml(describe(block))}</p>
${drawTable(block)}
<figure><figcaption>Accuracy, mean ± standard deviation</figcaption>${plotAccuracy(block)}</figure>
<figure><figcaption>Time: training ●, classification ■</figcaption>${plotTime(block)}</figure>
${Object.keys(curves).length > 0 ? drawCurves(curves) : ""}
${prototypes && look ? drawPrototypes(showPrototypes(prototypes, block.features, look)) : ""}
</section>`;
}

function drawTable({ lines }: Block): string {
  const heads = HEADS.map(({ title }) => `<th>${escapeXml(title)}</th>`).join("");
  const rows = lines.map((line) => {
    const cells = layOut(line).map((cell) => `<td>${escapeXml(cell)}</td>`);
    return `<tr${line.mark === null ? "" : ` class="${line.mark}"`}>${cells.join("")}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function drawCurves(curves: Curves): string {
  const keys = LEARNERS.filter(({ name }) => Object.hasOwn(curves, name)).map(
    ({ name, title }) => `<span><i style="background:${colourOf(name)}"></i>${escapeXml(title)}</span>`,
  );
  return `<figure><figcaption>Convergence of the first run</figcaption>
<p class="keys">${keys.join(" ")}</p>${plotCurves(curves)}</figure>`;
}

function drawPrototypes(pictures: string): string {
  return `<figure><figcaption>Prototypes of Algorithm 1, first run</figcaption>
<div class="sheet">${pictures}</div></figure>`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2125; --paper: #fff; --line: #d5d9de; --mark: #e8f3ea;
  --c0: #b5560b; --c1: #8f3fb0; --c2: #ad3253; --c3: #0f6bb8; --c4: #4a93a8;
  --c5: #7d6a00; --c6: #5b6770; --c7: #8a939b; --c8: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --paper: #16191d; --line: #363c43; --mark: #1c3324;
  --c0: #f0a04b; --c1: #cf92ea; --c2: #f08aa5; --c3: #6cb6f5; --c4: #7fcfe0;
  --c5: #d3bd4a; --c6: #a9b4bd; --c7: #868f98; --c8: #5fce7e; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
h2 { margin: 3rem 0 0; }
nav a { color: var(--c3); margin-right: .75em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .15em .7em; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
tr.best, tr.tied { background: var(--mark); }
figure { margin: 1.5rem 0; }
figure > svg { max-width: 100%; height: auto; }
figcaption { font-weight: 600; }
.keys span { margin-right: 1em; white-space: nowrap; }
.keys i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border-radius: 50%; }
.sheet { display: flex; flex-wrap: wrap; gap: 6px; }
.sheet img, .sheet svg { width: 64px; height: 64px; image-rendering: pixelated; border: 1px solid var(--line); }
.sheet polyline { fill: none; stroke: var(--c3); stroke-width: 12; stroke-linejoin: round; stroke-linecap: round; }
`;
