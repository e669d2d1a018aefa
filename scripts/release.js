// Makes a release: npm run release -- VERSION
//
// Sets the version everywhere, dates the changelog, builds, packs every package, checks the archives with publint and
// are-the-types-wrong, writes what each contains (CycloneDX) beside it, commits and tags. It does not publish: pushing the tag starts .github/workflows/publish.yml.
//
// --dry-run      checks the same and changes nothing; VERSION may be left out.
// --pack FOLDER  packs and checks the version that is here, into FOLDER; publish.txt there has the order of publishing.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { check, finishChecks, hasFailed } from "./checks.js";
import { listPackages, root } from "./packages.js";
import { describeContents } from "./sbom.js";
import { checkVersion, dateChangelog, setVersion, sortByDependencies } from "./version.js";

const LIBRARY_VERSION = "packages/bonmf/src/version.ts";
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false }, pack: { type: "string" } },
});
const dryRun = values["dry-run"];
const packages = sortByDependencies(listPackages());
const current = packages.find(({ manifest }) => manifest.name === "bonmf").manifest.version;
const version = positionals[0] ?? (dryRun || values.pack ? current : undefined);
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");

const folder = values.pack ? resolve(values.pack) : mkdtempSync(join(tmpdir(), "bonmf-release-"));
try {
  await (values.pack ? pack() : release());
} finally {
  if (!values.pack) rmSync(folder, { recursive: true, force: true });
}
finishChecks();

async function pack() {
  await check(`this is ${version}`, () => {
    if (version !== current) throw new Error(`the packages are ${current}`);
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "publish.txt"), (await checkPackages()).map((path) => `${basename(path)}\n`).join(""));
}

async function release() {
  const today = new Date().toISOString().slice(0, 10);
  let edits;
  await check(`${version} can be released`, () => {
    checkVersion(version, current, changelog.includes(`## ${current} (unreleased)`));
    edits = planEdits(today);
  });
  if (!dryRun) {
    await check("nothing is uncommitted", () => {
      if (run("git", ["status", "--porcelain"]).trim()) throw new Error("commit or stash your changes first");
    });
  }
  if (hasFailed()) return;
  if (!dryRun) writeEdits(edits);
  await checkPackages();
  if (dryRun) {
    for (const path of edits.keys()) console.log(`     would write ${path}`);
    console.log(`     would commit and tag v${version}`);
  } else if (hasFailed()) {
    console.log("     git checkout . takes the version numbers back");
  } else {
    run("git", ["commit", "--all", "--quiet", "--message", `release: ${version}`]);
    run("git", ["tag", "--annotate", `v${version}`, "--message", `bonmf ${version}`]);
    console.log(`     tagged. To publish: git push origin main v${version}`);
  }
}

/** The files of a release: path → text. */
function planEdits(today) {
  const names = packages.map(({ manifest }) => manifest.name);
  const edits = new Map();
  for (const { folder: place, manifest } of packages)
    edits.set(`${place}/package.json`, `${JSON.stringify(setVersion(manifest, version, names), null, 2)}\n`);
  const source = readFileSync(join(root, LIBRARY_VERSION), "utf8");
  if (!source.includes(`"${current}"`)) throw new Error(`${LIBRARY_VERSION} does not say ${current}`);
  edits.set(LIBRARY_VERSION, source.replace(`"${current}"`, `"${version}"`));
  edits.set("CHANGELOG.md", dateChangelog(changelog, version, today).text);
  return edits;
}

function writeEdits(edits) {
  for (const [path, text] of edits) writeFileSync(join(root, path), text);
  run("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"]);
}

/** @returns the archives of the packages, in an order in which they can be published */
async function checkPackages() {
  run(process.execPath, ["scripts/build.js", "--if-stale"]);
  const archives = [];
  for (const one of packages) archives.push(await checkPackage(one));
  return archives.filter((archive) => archive !== undefined);
}

async function checkPackage({ folder: place, manifest }) {
  const { name } = manifest;
  let archive;
  await check(`${name} packs`, () => {
    const [packed] = JSON.parse(run("npm", ["pack", "--json", "--workspace", place, "--pack-destination", folder]));
    archive = join(folder, packed.filename);
  });
  if (!archive) return undefined;
  await check(`${name}: publint`, async () => {
    const bytes = new Uint8Array(readFileSync(archive));
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    if (messages.length > 0) throw new Error(messages.map((message) => formatMessage(message, pkg)).join("\n"));
  });
  await check(`${name}: bill of materials`, () => {
    const text = JSON.stringify(describeContents(place, manifest), null, 2);
    writeFileSync(archive.replace(/\.tgz$/, ".cdx.json"), `${text}\n`);
  });
  if (!JSON.stringify(manifest.exports ?? {}).includes(".d.ts")) return archive;
  await check(`${name}: are the types wrong?`, () => {
    const styles = Object.keys(manifest.exports).filter((entry) => entry.endsWith(".css"));
    const options = ["--profile", "esm-only", "--no-definitely-typed", "--format", "ascii", "--no-emoji", "--no-color"];
    if (styles.length > 0) options.push("--exclude-entrypoints", ...styles);
    run(process.execPath, ["node_modules/@arethetypeswrong/cli/dist/index.js", archive, ...options]);
  });
  return archive;
}

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32" && command === "npm",
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}
