import { execFile } from "node:child_process";
import { access, constants, readFile, writeFile } from "node:fs/promises";
import { delimiter, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { UserError } from "../errors.js";
import { writeWhole } from "../write/file.js";
import { makeTemporaryFolder, removeTemporary } from "../write/leftovers.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
/** A page that takes longer is stuck. */
const PATIENCE_MS = 120_000;

/** Writes an HTML page to a file, or prints it to a PDF. */
export async function writeReport(out: string, page: () => Promise<string>, signal: AbortSignal): Promise<void> {
  const browser = await checkReport(out);
  if (browser === null) await writeWhole(out, await page());
  else await printPdf(out, browser, await page(), signal);
}

/** Fails before the work where a report cannot have that name. Returns the browser for a PDF, null for a page. */
export async function checkReport(out: string): Promise<string | null> {
  const ending = extname(out).toLowerCase();
  if (ending === "" || ending === ".html" || ending === ".htm") return null;
  if (ending !== ".pdf") throw new UserError(`${out}: a report is a page or a PDF`, "end the name in .html or .pdf");
  const browser = await findBrowser();
  if (browser !== null) return browser;
  throw new UserError(
    `${out}: a PDF is printed by Chromium or Chrome, and neither was found`,
    "write .html and print it in a browser, or name one: CHROME_PATH=/path/to/chrome",
  );
}

async function findBrowser(): Promise<string | null> {
  const { CHROME_PATH, PATH = "" } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  const paths = CHROME_PATH
    ? [CHROME_PATH]
    : [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  for (const path of paths) {
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return null;
}

async function printPdf(out: string, browser: string, page: string, signal: AbortSignal): Promise<void> {
  const folder = await makeTemporaryFolder();
  try {
    const source = join(folder, "report.html");
    const target = join(folder, "report.pdf");
    await writeFile(source, page);
    const args = [
      "--headless",
      "--disable-gpu",
      "--no-first-run",
      "--no-pdf-header-footer",
      `--user-data-dir=${join(folder, "profile")}`,
      `--print-to-pdf=${target}`,
      // Chromium refuses to run as root with its sandbox; the page is our own and loads nothing.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      pathToFileURL(source).href,
    ];
    const failed = await promisify(execFile)(browser, args, { timeout: PATIENCE_MS, signal }).then(
      () => null,
      (error: Error) => error,
    );
    signal.throwIfAborted();
    const bytes = await readFile(target).catch(() => null);
    if (bytes === null || bytes.subarray(0, 5).toString() !== "%PDF-") {
      throw new UserError(`${out}: ${browser} printed no PDF`, "write .html and print it in a browser", {
        cause: failed,
      });
    }
    await writeWhole(out, bytes);
  } finally {
    await removeTemporary(folder);
  }
}
