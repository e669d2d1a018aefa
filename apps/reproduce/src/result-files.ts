import { join } from "node:path";
import type { Cell } from "./cell.js";
import { toCsv } from "./csv.js";
import { toPage } from "./html-page.js";
import { toMarkdown } from "./markdown.js";
import type { WriteFile } from "./store.js";
import type { Results } from "./summary.js";

/** Writes the results as JSON, CSV, Markdown and one HTML page. */
export async function writeResults(
  folder: string,
  results: Results,
  cells: Iterable<Cell>,
  write: WriteFile,
): Promise<void> {
  const files = {
    "results.json": `${JSON.stringify(results, null, 1)}\n`,
    "results.csv": toCsv(results),
    "table.md": toMarkdown(results),
    "report.html": toPage(results, cells),
  };
  for (const [name, text] of Object.entries(files)) await write(join(folder, name), text);
}
