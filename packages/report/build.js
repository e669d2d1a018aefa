// Bundles the views of the page with esbuild, and lays script and style beside the compiled modules as assets.js, which
// renderPage puts into every page, with the licences of what the script contains. Run by itself, it compiles first:
// node packages/report/build.js
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { formatNotices, listBundled, NOTICES } from "../../scripts/notices.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** @param {string} folder the compiled modules */
export async function bundlePage(folder) {
  const { text, modules } = await bundle(join(folder, "entry.js"));
  const { text: style } = await bundle(join(here, "src/style/index.css"));
  const notices = formatNotices(listBundled(modules));
  const script = `/*!\n${notices.replaceAll("*/", "* /")}*/\n${text}`.replaceAll("</", "<\\/");
  writeFileSync(join(folder, NOTICES), notices);
  writeFileSync(join(folder, "style.css"), style);
  const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
  const lines = Object.entries({ SCRIPT: script, SCRIPT_HASH: hash, STYLE: style }).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
  );
  writeFileSync(join(folder, "assets.js"), `${lines.join("\n")}\n`);
}

async function bundle(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
    metafile: true,
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  return {
    text: outputFiles[0].text.trim(),
    modules: Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(here, "tsconfig.json")], { stdio: "inherit" });
  if (status === 0) await bundlePage(join(here, "dist"));
  process.exitCode = status ?? 1;
}
