// Bundles every target with the sources it reads by, counters inside.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { instrument } from "./instrument.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "fuzz/targets");

/** Ours, from the sources. */
const SOURCES = {
  bonmf: "packages/bonmf/src/index.ts",
  "bonmf/io": "packages/bonmf/src/io/parts.ts",
  "bonmf/nearest": "packages/bonmf/src/nearest.ts",
  "bonmf-data": "packages/data/src/index.ts",
  "bonmf-data/defaults": "packages/data/src/defaults.ts",
  "bonmf-data/errors": "packages/data/src/errors.ts",
  "bonmf-data/kinds": "packages/data/src/kinds.ts",
  "bonmf-data/nearest": "packages/data/src/nearest.ts",
  "bonmf-data/recipe": "packages/data/src/recipe.ts",
};
/** Native code has no counters; gRPC is not what is tested. */
const OTHERS = ["sharp", "@duckdb/node-api", "@grpc/grpc-js"];

export function listTargets() {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => name.slice(0, -3))
    .sort();
}

/**
 * @param out the folder to write to: a module for each target, and one for the oracle
 * @returns the number of branches, and the short texts of our sources
 */
export async function bundle(out) {
  let branches = 0;
  const tokens = new Set();
  const counters = {
    name: "counters",
    setup({ onLoad }) {
      onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
        const source = readFileSync(path, "utf8");
        const loader = path.endsWith("ts") ? "ts" : "js";
        const { code } = await transform(source, { loader, target: "es2022", format: undefined });
        const ours = !path.includes("node_modules");
        if (ours && relative(folder, path).startsWith("..") && path.includes(`${join(root, "fuzz")}/`))
          return { contents: code };
        if (/\bmodule\.exports\b|\bexports\.\w/.test(code)) return { contents: code };
        const made = instrument(code, branches);
        branches = made.next;
        if (ours) for (const token of made.tokens) tokens.add(token);
        return { contents: made.code };
      });
    },
  };
  await build({
    entryPoints: [...listTargets().map((name) => join(folder, `${name}.js`)), join(root, "fuzz/oracle.js")],
    outdir: out,
    outbase: join(root, "fuzz"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    alias: Object.fromEntries(Object.entries(SOURCES).map(([name, path]) => [name, join(root, path)])),
    external: OTHERS,
    plugins: [counters],
    logLevel: "warning",
    absWorkingDir: root,
  });
  return { branches, tokens: [...tokens] };
}
