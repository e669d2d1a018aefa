import { join } from "node:path";

/** Makes one file of what Spark's executors run; nothing but Node is needed beside it. */
export async function bundleExecutor(draft) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(draft, "executor/script.js")],
    outfile: join(draft, "executor.mjs"),
    bundle: true,
    minify: true,
    keepNames: true,
    format: "esm",
    target: "es2022",
    platform: "node",
    logLevel: "warning",
  });
}
