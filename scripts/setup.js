// Makes a checkout ready: installs what package-lock.json names, builds the library. Silent when nothing is to be done.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const LOCK = new URL("../package-lock.json", import.meta.url);
/** Written by npm when an installation is complete: the actual content of node_modules. */
const INSTALLED = new URL("../node_modules/.package-lock.json", import.meta.url);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`bonmf needs Node 20.19 or newer, but this is Node ${process.versions.node}: please update Node.`);
  process.exit(1);
}

if (!isInstalled()) {
  console.log("setup: installing the development tools (npm ci)");
  installTools();
}
run(process.execPath, ["scripts/build.js", "--if-stale"]);

function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const have = JSON.parse(readFileSync(INSTALLED, "utf8")).packages;
  const want = JSON.parse(readFileSync(LOCK, "utf8")).packages;
  return Object.entries(want).every(([path, { version, optional }]) => {
    if (!path.includes("node_modules/")) return true;
    return have[path] ? have[path].version === version : optional;
  });
}

function installTools() {
  const npm = process.env.npm_execpath;
  const quiet = { stdio: ["ignore", "ignore", "inherit"] };
  if (npm?.endsWith("npm-cli.js")) run(process.execPath, [npm, "ci", "--loglevel=error"], quiet);
  else run("npm ci --loglevel=error", [], { ...quiet, shell: true });
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    ...options,
  });
  if (error) console.error(`setup: ${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status || 1);
}
