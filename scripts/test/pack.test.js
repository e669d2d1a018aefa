import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { listPackages, root } from "../packages.js";

const packages = listPackages();
const manifests = new Map(packages.map(({ folder, manifest }) => [folder, manifest]));
const FOLDERS = [...manifests.keys()];

/**
 * What a download may cost, in bytes: the tarball, and what it unpacks to. About a tenth above what they are. Whoever
 * raises one says why in the commit.
 */
const BUDGETS = {
  bonmf: { tarball: 990_000, unpacked: 3_070_000 },
  "bonmf-cli": { tarball: 230_000, unpacked: 745_000 },
  "bonmf-data": { tarball: 84_000, unpacked: 275_000 },
  "bonmf-report": { tarball: 215_000, unpacked: 670_000 },
  "bonmf-reproduce": { tarball: 27_000, unpacked: 77_000 },
  "bonmf-spark": { tarball: 239_000, unpacked: 745_000 },
  "bonmf-webgpu": { tarball: 56_000, unpacked: 190_000 },
  "bonmf-studio": { tarball: 1_110_000, unpacked: 3_180_000 },
};

/** What a page loads, in bytes after gzip: the bundle, and the script of its workers. */
const BROWSER = { "bonmf.min.js": 297_000, "worker.js": 183_000 };

/** What `npm pack` would publish. */
const dryRun = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", ...FOLDERS.flatMap((folder) => ["-w", folder])], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 26,
  }),
);
const packed = new Map(dryRun.map(({ name, files }) => [name, new Set(files.map(({ path }) => path))]));

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

  it("has neither sources nor tests nor source maps, and points to none", () => {
    expect([...files].filter((path) => /^(src|test|browser|bench|cluster|peers|assembly)\/|\.map$/.test(path))).toEqual(
      [],
    );
    const scripts = [...files].filter((path) => /\.(js|d\.ts)$/.test(path));
    const pointing = scripts.filter((path) =>
      /^\/\/# sourceMappingURL=/m.test(readFileSync(join(root, folder, path), "utf8")),
    );
    expect(pointing).toEqual([]);
  });

  it("runs nothing when it is installed", () => {
    const hooks = Object.keys(manifest.scripts ?? {}).filter((name) => /^(pre|post)?(install|prepare)$/.test(name));
    expect(hooks).toEqual([]);
  });

  it("says whose it is, and where it is kept", () => {
    const { author, homepage, bugs, repository, license, description, keywords, engines } = manifest;
    expect({ author, homepage, bugs, repository, license }).toEqual({
      author: "The bonmf authors",
      homepage: "https://bonmf.github.io/bonmf/",
      bugs: "https://github.com/bonmf/bonmf/issues",
      repository: { type: "git", url: "git+https://github.com/bonmf/bonmf.git", directory: folder },
      license: "MIT",
    });
    expect(description.length).toBeGreaterThan(20);
    expect(keywords).toContain("bonmf");
    expect(engines.node).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.node);
  });

  it("keeps its budget", () => {
    const { size, unpackedSize } = dryRun.find(({ name }) => name === manifest.name);
    const budget = BUDGETS[manifest.name];
    expect(budget, `BUDGETS has no ${manifest.name}`).toBeDefined();
    expect(size).toBeLessThanOrEqual(budget.tarball);
    expect(unpackedSize).toBeLessThanOrEqual(budget.unpacked);
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

it.each(Object.entries(BROWSER))("%s keeps its budget of %i bytes", (name, budget) => {
  const bytes = gzipSync(readFileSync(join(root, "packages/bonmf/dist", name)), { level: 9 }).length;
  expect(bytes).toBeLessThanOrEqual(budget);
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
