// Builds the documentation site into docs/.vitepress/dist: guide pages, the API reference made from the types, the
// report and the studio as demos. `npm run docs` runs it; `npm run docs -- --serve` also serves the result.
// The tools are installed into docs/node_modules the first time: the rest of the checkout does not need them.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL(".", import.meta.url));
const root = join(docs, "..");
const PUBLIC = join(docs, "public");

run(process.execPath, ["scripts/setup.js"], root);
if (!isInstalled()) {
  console.log("docs: installing the tools of the site (npm ci in docs/)");
  run("npm", ["ci", "--loglevel=error", "--no-audit", "--no-fund"], docs);
}
rmSync(PUBLIC, { recursive: true, force: true });
mkdirSync(join(PUBLIC, "demo"), { recursive: true });
copyLibrary();
copyStudio();
await writeReport();
const { writeReference } = await import("./reference.js");
await writeReference();
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build", "."], docs);
console.log("docs: docs/.vitepress/dist");
if (process.argv.includes("--serve")) run(process.execPath, ["serve.js"], docs);

function isInstalled() {
  const installed = join(docs, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const have = JSON.parse(readFileSync(installed, "utf8")).packages;
  const want = JSON.parse(readFileSync(join(docs, "package-lock.json"), "utf8")).packages;
  return Object.entries(want).every(
    ([path, { version, optional }]) => path === "" || (have[path] ? have[path].version === version : optional),
  );
}

/** For the Run buttons. */
function copyLibrary() {
  mkdirSync(join(PUBLIC, "bonmf"));
  for (const name of ["bonmf.min.js", "worker.js"])
    copyFileSync(join(root, "packages/bonmf/dist", name), join(PUBLIC, "bonmf", name));
  const page = readFileSync(join(root, "examples/browser/index.html"), "utf8");
  writeFileSync(join(PUBLIC, "demo/browser.html"), page.replace("../../packages/bonmf/dist/", "../bonmf/"));
}

function copyStudio() {
  cpSync(join(root, "apps/studio/dist"), join(PUBLIC, "demo/studio"), { recursive: true });
  copyFileSync(join(root, "apps/studio/dist/icon.svg"), join(PUBLIC, "icon.svg"));
  copyFileSync(join(docs, "digits.svg"), join(PUBLIC, "digits.svg"));
}

/** The report of `npm start`: handwritten digits. */
async function writeReport() {
  const { fit } = await import("../packages/bonmf/dist/bonmf.js");
  const { collectFindings, measureReference, renderPage } = await import("../packages/report/dist/index.js");
  const { loadDigits, SIDE } = await import("../scripts/digits.js");
  const { X, labels } = loadDigits(0, 5000);
  const model = await fit(X, { k: 10, seed: 7 });
  const recipe = { image: { width: SIDE, height: SIDE } };
  const reference = await measureReference(model, X);
  const findings = await collectFindings(model, { X, labels, recipe, source: "handwritten digits (MNIST)", reference });
  writeFileSync(join(PUBLIC, "demo/report.html"), await renderPage(findings));
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32" && command === "npm",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status || 1);
}
