// What the checks stand on: the built command, a browser, and the counting of what passed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
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
/** Graphics without a graphics card, or none at all. */
const GRAPHICS = {
  soft: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  none: ["--disable-gpu", "--disable-3d-apis"],
};

const here = fileURLToPath(new URL(".", import.meta.url));
const binary = process.env.BONMF_BINARY ?? join(here, "../../cli/dist/main.js");
export const count = { passed: 0, failed: 0 };
export const folder = mkdtempSync(join(tmpdir(), "bonmf-studio-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs one check; what it throws is what went wrong. */
export async function check(title, work) {
  const begin = performance.now();
  try {
    await work();
    count.passed++;
    console.log(`ok   ${title} (${Math.round(performance.now() - begin)} ms)`);
  } catch (error) {
    count.failed++;
    console.log(`FAIL ${title}`);
    console.log(
      `     ${String(error?.message ?? error)
        .split("\n")
        .slice(0, 6)
        .join("\n     ")}`,
    );
  }
}

export function equal(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what}: ${JSON.stringify(found)?.slice(0, 300)}, not ${JSON.stringify(wanted)?.slice(0, 300)}`);
  }
}

export function holds(truth, what) {
  if (!truth) throw new Error(what);
}

/** Runs the command to its end. */
export function bonmf(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`bonmf ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** `bonmf studio`, until `end`. */
export async function serve(...args) {
  const child = spawn(process.execPath, [binary, "studio", ...args, "--no-open", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(JSON.parse(String(text)).url));
    child.once("exit", (code) => reject(new Error(`bonmf studio ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    url,
    end() {
      child.kill("SIGINT");
      return ended;
    },
  };
}

export function launch(graphics = "soft") {
  const from = process.env.PLAYWRIGHT_CORE ?? here;
  const { chromium } = createRequire(join(from, "from-here.js"))("playwright-core");
  return chromium.launch({ executablePath: findBrowser(), args: [...FLAGS, ...GRAPHICS[graphics]] });
}

function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((place) => join(place, name))).find((path) => existsSync(path));
  if (!found) throw new Error(`no browser: install one of ${names.join(", ")} or set CHROMIUM_PATH`);
  return found;
}
