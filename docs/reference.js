// Writes the API reference as Markdown into docs/api, from the published types of the packages.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const docs = fileURLToPath(new URL(".", import.meta.url));

/** The modules in docs/tsconfig.json: how TypeDoc names them, how people import them, and what for. */
const MODULES = {
  "bonmf/dist": ["bonmf", "Fit, predict, classify, measure, read and write. Start with [fit](bonmf/functions/fit.md)."],
  "bonmf/dist/engine": ["bonmf/engine", "Data that is elsewhere: on disk, or behind an engine of your own."],
  "data/dist": ["bonmf-data", "Files people have as samples: kinds, CSV, JSON lines, tables as matrices, recipes."],
  "report/dist": ["bonmf-report", "A finished fit as plain data, and as one HTML page."],
  "report/dist/views": ["bonmf-report/views", "The charts of that page, one by one."],
  "spark/dist": ["bonmf-spark", "Fits on Apache Spark."],
  "webgpu/dist": ["bonmf-webgpu", "Fits on the GPU."],
  "spark/dist/connect": ["bonmf-spark/connect", "A Spark Connect client for Node."],
};

export async function writeReference() {
  const out = join(docs, "api");
  const tsconfig = join(docs, "tsconfig.json");
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown", "typedoc-vitepress-theme"],
    entryPoints: JSON.parse(readFileSync(tsconfig, "utf8")).files.map((path) => join(docs, path)),
    tsconfig,
    name: "API reference",
    readme: "none",
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    skipErrorChecking: true,
    hideGenerator: true,
    out,
    docsRoot: docs,
    logLevel: "Warn",
    validation: { notExported: false },
    pageTitleTemplates: { index: "API reference", module: ({ name }) => name, member: ({ name }) => name },
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    expandObjects: true,
    parametersFormat: "table",
    propertiesFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    typeDeclarationFormat: "table",
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the types");
  for (const module of project.children ?? []) {
    if (!(module.name in MODULES)) throw new Error(`the module ${module.name} has no name in docs/reference.js`);
    module.name = MODULES[module.name][0];
  }
  await app.generateOutputs(project);
  const rows = Object.values(MODULES).map(([name, purpose]) => `| [\`${name}\`](${name}/index.md) | ${purpose} |`);
  writeFileSync(
    join(out, "index.md"),
    [
      "# API reference",
      "",
      "Made from the types. Examples run in the page.",
      "",
      "| | |",
      "|---|---|",
      ...rows,
      "",
    ].join("\n"),
  );
}
