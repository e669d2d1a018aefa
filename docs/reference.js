// Writes the API reference as Markdown into docs/api, from the published types of the packages.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const docs = fileURLToPath(new URL(".", import.meta.url));

/** The modules in docs/tsconfig.json: how TypeDoc names them, and how people import them. */
const NAMES = {
  "bonmf/dist": "bonmf",
  "bonmf/dist/engine": "bonmf/engine",
  "report/dist": "bonmf-report",
  "report/dist/views": "bonmf-report/views",
  "spark/dist": "bonmf-spark",
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
    if (!(module.name in NAMES)) throw new Error(`the module ${module.name} has no name in docs/reference.js`);
    module.name = NAMES[module.name];
  }
  await app.generateOutputs(project);
}
