// Parts of the library that it keeps to itself, from its sources.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export async function loadInternal(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${path}`, import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
