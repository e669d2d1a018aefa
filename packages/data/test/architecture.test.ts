import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Our packages, from the ground up: what each may import of the others. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "packages/bonmf": [],
  "packages/data": ["bonmf"],
  "packages/report": ["bonmf"],
  "packages/spark": ["bonmf"],
  "packages/webgpu": ["bonmf"],
  "apps/reproduce": ["bonmf", "bonmf-data", "bonmf-report"],
  "apps/cli": ["bonmf", "bonmf-data", "bonmf-report", "bonmf-spark", "bonmf-webgpu", "bonmf-reproduce", "bonmf-studio"],
  "apps/studio": ["bonmf", "bonmf-data", "bonmf-report", "bonmf-webgpu"],
};
const MOST_LINES = 400;

function listSources(folder: string): string[] {
  return readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(root, folder, "src", path));
}

/** The modules that a source names, static imports and import("…"). */
function listImports(path: string): string[] {
  const code = readFileSync(path, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1");
  return [...code.matchAll(/\bfrom\s+"([^"\n]+)"|^import\s+"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"/gm)].map(
    ([, from, bare, dynamic]) => from ?? bare ?? dynamic,
  );
}

describe("packages", () => {
  it.each(Object.entries(LAYERS))("%s imports only what lies below it", (folder, allowed) => {
    const strange = listSources(folder).flatMap((path) =>
      listImports(path)
        .filter((target) => /^bonmf(-|\/|$)/.test(target) && !allowed.includes(target.split("/")[0]))
        .map((target) => `${path.slice(root.length)} imports ${target}`),
    );
    expect(strange).toEqual([]);
  });
});

describe("bonmf-data", () => {
  const sources = listSources("packages/data");

  it("runs in browsers: it imports nothing but bonmf, stop words, stemmers and itself", () => {
    const strange = sources.flatMap((path) =>
      listImports(path).filter(
        (target) =>
          !/^(\.\/|bonmf(\/(io|nearest))?$|stopword$|wink-porter2-stemmer$|@orama\/stemmers\/[a-z]+$)/.test(target),
      ),
    );
    expect(strange).toEqual([]);
    expect(sources.filter((path) => /\b(Buffer|process|window|document)\./.test(readFileSync(path, "utf8")))).toEqual(
      [],
    );
  });

  it(`keeps every file within ${MOST_LINES} lines`, () => {
    const long = sources.filter((path) => readFileSync(path, "utf8").trimEnd().split("\n").length > MOST_LINES);
    expect(long).toEqual([]);
  });
});
