// Builds every package into its dist folder: the library (also as single files, for pages and for a quick start), the
// readers, the report, the Spark client, the GPU engine, the command, the studio. With --if-stale, only when sources, settings or tools
// changed since the last build. One build runs at a time.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildKernels } from "./kernels.js";
import { alone } from "./lock.js";
import { formatNotices, gatherModules, listBundled, NOTICES } from "./notices.js";

const root = fileURLToPath(new URL("..", import.meta.url));
/** In order: each may need those before it. Where there is no `make`, the TypeScript compiler makes it. */
const packages = [
  { folder: "packages/bonmf", finish: bundleAll },
  { folder: "packages/data", finish: bundleReaders },
  { folder: "packages/report", finish: bundleReport },
  { folder: "packages/spark", finish: bundleExecutor },
  { folder: "packages/webgpu" },
  { folder: "apps/reproduce" },
  { folder: "apps/cli" },
  { folder: "apps/studio", make: bundleStudio },
];
const library = join(root, "packages/bonmf");
/** Under node_modules, so that a new installation, perhaps with a new compiler, removes it. */
const stamp = join(root, "node_modules/.cache/bonmf-build");
/** Bundled, because few files load faster than eighty. Entries of one group share chunks; all start worker.js. */
const bundles = [
  { "bonmf.js": "index.js", "engine.js": "engine/index.js", "io.js": "io/parts.js" },
  { "bonmf.min.js": "index.js" },
  { "worker.js": "worker.js" },
  // Alone, because `bonmf --help` needs nothing else.
  { "nearest.js": "nearest.js" },
];

/** One build at a time: a second one waits, and may then find nothing to do. */
await alone(
  `${stamp}.lock`,
  () => console.log("build: waiting for another build of this checkout"),
  async (touch) => {
    await buildKernels();
    const inputs = hashInputs();
    if (!process.argv.includes("--if-stale") || !isFresh(inputs)) await build(inputs, touch);
  },
);

function hashInputs() {
  const paths = ["package-lock.json", "scripts/build.js", "scripts/notices.js"];
  for (const { folder } of packages) {
    const settings = readdirSync(join(root, folder)).filter((name) => /\.(json|js|ts|html)$/.test(name));
    const sources = readdirSync(join(root, folder, "src"), { recursive: true }).map((path) => join("src", path));
    paths.push(...[...settings, ...sources].sort().map((path) => join(folder, path)));
  }
  const hash = createHash("sha256");
  for (const path of paths.filter((path) => statSync(join(root, path)).isFile()))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

function isFresh(inputs) {
  const made = bundles.flatMap(Object.keys).map((name) => join(library, "dist", name));
  const others = packages.map(({ folder }) => join(root, folder, "dist"));
  if (![stamp, ...others, ...made].every((path) => existsSync(path))) return false;
  return readFileSync(stamp, "utf8") === inputs;
}

async function build(inputs, touch) {
  rmSync(stamp, { force: true });
  for (const { folder, make = compile, finish } of packages) {
    console.log(`build: making ${folder}/dist`);
    touch();
    const dist = join(root, folder, "dist");
    // Ignored by git.
    const draft = join(root, folder, ".cache");
    rmSync(draft, { recursive: true, force: true });
    try {
      await make(join(root, folder), draft);
      await finish?.(draft);
      rmSync(dist, { recursive: true, force: true });
      renameSync(draft, dist);
    } catch (error) {
      console.error(`build: ${error.message}`);
      process.exitCode = 1;
      return;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  mkdirSync(join(stamp, ".."), { recursive: true });
  writeFileSync(stamp, inputs);
}

function compile(folder, draft) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", join(folder, "tsconfig.json"), "--outDir", draft];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the TypeScript compiler found the errors above; dist is left as it was");
}

async function bundleAll(draft) {
  const { build: esbuild } = await import("esbuild");
  const parts = findScripts(draft);
  const made = new Set();
  for (const group of bundles) {
    const entries = Object.entries(group);
    const { metafile } = await esbuild({
      entryPoints: entries.map(([name, entry]) => ({ in: join(draft, entry), out: name.replace(/\.js$/, "") })),
      outdir: draft,
      allowOverwrite: true, // worker.js takes the place of what it is made of
      bundle: true,
      splitting: entries.length > 1,
      minify: entries.length === 1,
      // Error classes are identified by name. keepNames costs time in every fit, so only minified bundles use it.
      keepNames: entries.length === 1,
      format: "esm",
      target: "es2022",
      platform: "neutral",
      logLevel: "warning",
      metafile: true,
    });
    for (const path of Object.keys(metafile.outputs)) made.add(resolve(path));
  }
  // One way to load the library: remove the files that were bundled.
  for (const path of parts) if (!made.has(path)) rmSync(path);
}

/** The readers in one file; what the command needs without the library stays in files of its own. */
async function bundleReaders(draft) {
  const { build: esbuild } = await import("esbuild");
  const { exports } = JSON.parse(readFileSync(join(root, "packages/data/package.json"), "utf8"));
  const entries = Object.values(exports).flatMap((entry) => (entry.default ? [basename(entry.default)] : []));
  await esbuild({
    entryPoints: [join(draft, "index.js")],
    outfile: join(draft, "index.js"),
    allowOverwrite: true,
    bundle: true,
    packages: "external",
    external: entries.map((name) => `./${name}`),
    format: "esm",
    target: "es2022",
    platform: "neutral",
    logLevel: "warning",
  });
  for (const path of findScripts(draft)) if (!entries.includes(basename(path))) rmSync(path);
}

function findScripts(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  return paths.filter((path) => path.endsWith(".js"));
}

async function bundleReport(draft) {
  const { bundlePage } = await import("../packages/report/build.js");
  await bundlePage(draft);
}

async function bundleExecutor(draft) {
  const { bundleExecutor: bundle } = await import("../packages/spark/build.js");
  await bundle(draft);
}

async function bundleStudio(folder, draft) {
  const { build: vite } = await import("vite");
  const modules = new Set();
  const plugins = [gatherModules(modules)];
  await vite({ root: folder, logLevel: "warn", build: { outDir: draft }, plugins, worker: { plugins: () => plugins } });
  writeFileSync(join(draft, NOTICES), formatNotices(listBundled(modules)));
}
