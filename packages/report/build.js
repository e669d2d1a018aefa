// Bundles the views of the page with esbuild, and lays script and style beside the compiled modules as assets.js, which
// renderPage puts into every page. Run by itself, it compiles first: node packages/report/build.js
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/** @param {string} folder the compiled modules */
export async function bundlePage(folder) {
  const script = (await bundle(join(folder, "entry.js"))).replaceAll("</", "<\\/");
  const style = await bundle(join(here, "src/style/index.css"));
  writeFileSync(join(folder, "style.css"), style);
  const lines = Object.entries({ SCRIPT: script, STYLE: style }).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
  );
  writeFileSync(join(folder, "assets.js"), `${lines.join("\n")}\n`);
}

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
  });
  return outputFiles[0].text.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(here, "tsconfig.json")], { stdio: "inherit" });
  if (status === 0) await bundlePage(join(here, "dist"));
  process.exitCode = status ?? 1;
}
