import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["packages/bonmf", "packages/data", "packages/report", "packages/spark", "apps/cli", "apps/studio"];
const manifests = new Map(
  FOLDERS.map((folder) => [folder, JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))]),
);

/** What `npm pack` would put into each package. */
const packed = new Map(
  JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", ...FOLDERS.flatMap((folder) => ["-w", folder])], {
      cwd: root,
      encoding: "utf8",
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 26,
    }),
  ).map(({ name, files }) => [name, new Set(files.map(({ path }) => path))]),
);

describe.each(FOLDERS)("the package of %s", (folder) => {
  const manifest = manifests.get(folder);
  const files = packed.get(manifest.name);

  it("has a licence, a page to read and its manifest", () => {
    for (const name of ["LICENSE", "README.md", "package.json"]) expect(files).toContain(name);
    expect(readFileSync(join(root, folder, "LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  });

  it("has every file that its manifest names", () => {
    const named = [...listPaths(manifest.exports ?? {}), ...listPaths(manifest.bin ?? {})];
    const missing = named.map((path) => posix.normalize(path)).filter((path) => !files.has(path));
    expect(missing).toEqual([]);
  });

  it("has whatever its modules and types import", () => {
    const scripts = [...files].filter((path) => /^dist\/(?!assets\/).*\.(js|mjs|d\.ts)$/.test(path));
    const missing = scripts.flatMap((path) =>
      listImports(readFileSync(join(root, folder, path), "utf8"))
        .map((target) => posix.join(dirname(path), path.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target))
        .filter((target) => !files.has(target)),
    );
    expect(missing).toEqual([]);
  });

  it("has neither tests nor maps of sources that it leaves out", () => {
    expect([...files].filter((path) => /^(test|browser|bench|cluster|peers|assembly)\//.test(path))).toEqual([]);
    const lost = [...files]
      .filter((path) => path.endsWith(".map"))
      .flatMap((path) => {
        const { sources, sourcesContent } = JSON.parse(readFileSync(join(root, folder, path), "utf8"));
        return sourcesContent ? [] : sources.map((source) => posix.join(dirname(path), source));
      });
    expect(lost.filter((path) => !files.has(path))).toEqual([]);
  });

  it("depends on nothing that is not published, in the version that is here", () => {
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      const ours = [...manifests.values()].find((other) => other.name === name);
      if (ours) expect({ name, version, private: ours.private }).toEqual({ name, version: ours.version });
      else expect(existsSync(join(root, "node_modules", name)), name).toBe(true);
    }
    expect(manifest.private).toBeUndefined();
  });
});

it("the studio is a page with its scripts", () => {
  const files = packed.get("bonmf-studio");
  const page = readFileSync(join(root, "apps/studio/dist/index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="\.?\/?([^":]+)"/g)].map(([, path]) => `dist/${path}`);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((path) => !files.has(path))).toEqual([]);
});

function listPaths(value) {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(listPaths);
}

/** Relative imports of a module, static or not. */
function listImports(code) {
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map(([, target]) => target);
}
