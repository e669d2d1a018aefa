// Compiles packages/bonmf/src to dist and bundles it for pages that load one file. With --if-stale, only when the
// sources, the compiler's settings or the tools changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildKernels } from "./kernels.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const library = join(root, "packages/bonmf");
const dist = join(library, "dist");
/** Ignored by git and as deep as dist, so that the relative paths in the source maps survive the renaming. */
const draft = join(library, ".cache");
/** Under node_modules: a new installation may bring a new compiler, and takes the stamp away. */
const stamp = join(root, "node_modules/.cache/bonmf-build");
/** Single files, by what they are made of; the first starts the second, which it looks for beside itself. */
const bundles = { "bonmf.min.js": "index.js", "worker.js": "engine/worker.js" };

await buildKernels();
const inputs = hashInputs();
if (!process.argv.includes("--if-stale") || !isFresh()) await build();

function hashInputs() {
  const sources = readdirSync(join(library, "src"), { recursive: true }).sort();
  const paths = [
    "package-lock.json",
    "scripts/build.js",
    "packages/bonmf/tsconfig.json",
    ...sources.map((path) => join("packages/bonmf/src", path)),
  ].filter((path) => statSync(join(root, path)).isFile());
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

function isFresh() {
  const made = ["index.js", ...Object.keys(bundles)].map((name) => join(dist, name));
  if (![stamp, ...made].every((path) => existsSync(path))) return false;
  return readFileSync(stamp, "utf8") === inputs;
}

async function build() {
  console.log("build: compiling packages/bonmf to dist");
  rmSync(stamp, { force: true });
  rmSync(draft, { recursive: true, force: true });
  try {
    compile();
    await bundleAll();
    rmSync(dist, { recursive: true, force: true });
    renameSync(draft, dist);
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
    return;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  mkdirSync(join(stamp, ".."), { recursive: true });
  writeFileSync(stamp, inputs);
}

function compile() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", join(library, "tsconfig.json"), "--outDir", draft];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the TypeScript compiler found the errors above; dist is left as it was");
}

async function bundleAll() {
  const { build: esbuild } = await import("esbuild");
  for (const [name, entry] of Object.entries(bundles)) {
    await esbuild({
      entryPoints: [join(draft, entry)],
      outfile: join(draft, name),
      bundle: true,
      minify: true,
      keepNames: true, // errors are told apart by name
      sourcemap: true,
      format: "esm",
      target: "es2022",
      platform: "neutral",
      logLevel: "warning",
    });
  }
}
