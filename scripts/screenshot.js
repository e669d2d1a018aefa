// Draws docs/report.png for the README: the top of the report on 5,000 handwritten digits, in a real browser. See
// packages/report/browser/check.js for the environment variables that say where that is.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import sharp from "sharp";
import { fit } from "../packages/bonmf/dist/bonmf.js";
import { collectFindings, measureReference, renderPage } from "../packages/report/dist/index.js";
import { launch } from "./browser.js";
import { loadDigits, SIDE } from "./digits.js";

const WIDTH = 1200;
const HEIGHT = 1700;
const MOST_BYTES = 300 * 1024;
const out = fileURLToPath(new URL("../docs/report.png", import.meta.url));

const { X, labels } = loadDigits(0, 5000);
const model = await fit(X, { k: 10, seed: 7 });
const recipe = { image: { width: SIDE, height: SIDE } };
const reference = await measureReference(model, X);
const findings = await collectFindings(model, { X, labels, recipe, source: "5,000 handwritten digits", reference });
const folder = mkdtempSync(join(tmpdir(), "bonmf-shot-"));
const browser = await launch();
try {
  const path = join(folder, "report.html");
  writeFileSync(path, await renderPage(findings));
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: "light" });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.querySelectorAll(".bonmf-frame svg").length >= 3);
  const shot = await page.screenshot();
  await sharp(shot).png({ palette: true, colours: 128, effort: 10 }).toFile(out);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
const { size } = statSync(out);
console.log(`docs/report.png: ${size} bytes`);
if (size >= MOST_BYTES) throw new Error(`that is more than ${MOST_BYTES}`);
