// Compiles the library and the command to their dist folders, and bundles the library for pages that load one file. With
// --if-stale, only when the sources, the compiler's settings or the tools changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildKernels } from "./kernels.js";

const root = fileURLToPath(new URL("..", import.meta.url));
/** In order: each may need those before it. */
const packages = ["packages/bonmf", "apps/cli"];
const library = join(root, "packages/bonmf");
/** Under node_modules: a new installation may bring a new compiler, and takes the stamp away. */
const stamp = join(root, "node_modules/.cache/bonmf-build");
/** Single files, by what they are made of: one file is read sooner than eighty. They start worker.js beside themselves. */
const bundles = { "bonmf.js": "index.js", "bonmf.min.js": "index.js", "worker.js": "engine/worker.js" };

await buildKernels();
const inputs = hashInputs();
if (!process.argv.includes("--if-stale") || !isFresh()) await build();

function hashInputs() {
  const paths = ["package-lock.json", "scripts/build.js"];
  for (const name of packages) {
    const sources = readdirSync(join(root, name, "src"), { recursive: true }).sort();
    paths.push(join(name, "tsconfig.json"), ...sources.map((path) => join(name, "src", path)));
  }
  const hash = createHash("sha256");
  for (const path of paths.filter((path) => statSync(join(root, path)).isFile()))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

function isFresh() {
  const made = ["index.js", ...Object.keys(bundles)].map((name) => join(library, "dist", name));
  if (![stamp, join(root, "apps/cli/dist/main.js"), ...made].every((path) => existsSync(path))) return false;
  return readFileSync(stamp, "utf8") === inputs;
}

async function build() {
  rmSync(stamp, { force: true });
  for (const name of packages) {
    console.log(`build: compiling ${name} to dist`);
    const dist = join(root, name, "dist");
    // Ignored by git and as deep as dist, so that the relative paths in the source maps survive the renaming.
    const draft = join(root, name, ".cache");
    rmSync(draft, { recursive: true, force: true });
    try {
      compile(join(root, name), draft);
      if (name === "packages/bonmf") await bundleAll(draft);
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
  chmodSync(join(root, "apps/cli/dist/main.js"), 0o755);
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
  for (const [name, entry] of Object.entries(bundles)) {
    await esbuild({
      entryPoints: [join(draft, entry)],
      outfile: join(draft, name),
      bundle: true,
      minify: name !== "bonmf.js",
      keepNames: true, // errors are told apart by name
      sourcemap: true,
      format: "esm",
      target: "es2022",
      platform: "neutral",
      logLevel: "warning",
    });
  }
}
