import { join } from "node:path";
import { writeWhole } from "../write/file.js";
import type { Cell } from "./cell.js";
import { toCsv } from "./csv.js";
import { toMarkdown } from "./markdown.js";
import { toPage } from "./page.js";
import type { Results } from "./summary.js";

export async function writeAll(folder: string, results: Results, cells: Iterable<Cell>): Promise<void> {
  const files = {
    "results.json": `${JSON.stringify(results, null, 1)}\n`,
    "results.csv": toCsv(results),
    "table.md": toMarkdown(results),
    "report.html": toPage(results, cells),
  };
  for (const [name, text] of Object.entries(files)) await writeWhole(join(folder, name), text);
}
