// Set-up of the checks: the built command, a browser.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch as launchWith } from "../../../scripts/browser.js";

/** Graphics without a graphics card, or none at all. */
const GRAPHICS = {
  soft: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  none: ["--disable-gpu", "--disable-3d-apis"],
};

const here = fileURLToPath(new URL(".", import.meta.url));
const binary = process.env.BONMF_BINARY ?? join(here, "../../cli/dist/main.js");
export const folder = mkdtempSync(join(tmpdir(), "bonmf-studio-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

export function equal(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what}: ${JSON.stringify(found)?.slice(0, 300)}, not ${JSON.stringify(wanted)?.slice(0, 300)}`);
  }
}

export function holds(truth, what) {
  if (!truth) throw new Error(what);
}

const PATIENCE = 30_000;

/** Waits until a check of the page holds; what it throws last is what is wrong. */
export async function until(work) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The column of clusters, counted from the end of a line: texts before it may have commas. */
export function readClusters(text) {
  const [header, ...lines] = text.trimEnd().split("\n");
  const place = header.split(",").reverse().indexOf("cluster");
  return lines.map((line) => Number(line.split(",").at(-1 - place)));
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
  return launchWith(GRAPHICS[graphics]);
}
