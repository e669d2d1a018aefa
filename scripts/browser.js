import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A browser through playwright-core, both from where the environment says.
 *
 * @param graphics further flags; the default is to do without a graphics card
 */
export function launch(graphics = ["--disable-gpu"]) {
  const folder = process.env.PLAYWRIGHT_CORE ?? fileURLToPath(new URL(".", import.meta.url));
  const { chromium } = createRequire(join(folder, "from-here.js"))("playwright-core");
  return chromium.launch({ executablePath: findBrowser(), args: [...FLAGS, ...graphics] });
}

function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (!found) throw new Error(`no browser: install one of ${names.join(", ")} or set CHROMIUM_PATH`);
  return found;
}
