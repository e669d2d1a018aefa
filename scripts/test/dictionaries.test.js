import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const biome = join(dirname(createRequire(import.meta.url).resolve("@biomejs/biome/package.json")), "bin/biome");
const folder = mkdtempSync(join(tmpdir(), "bonmf-lint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The repository's own configuration, with no other rule.
const { plugins, includes } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")).overrides.find(
  (one) => one.plugins !== undefined,
);
const own = { includes, plugins: plugins.map((path) => join(root, path)) };
const config = { root: true, linter: { rules: { preset: "none" } }, overrides: [own] };
writeFileSync(join(folder, "biome.json"), JSON.stringify(config));
mkdirSync(join(folder, "src"));

/** The lines of a source that the rule refuses. */
function findRefused(lines) {
  const path = join(folder, "src/a.ts");
  writeFileSync(path, lines.join("\n"));
  const { stdout } = spawnSync(process.execPath, [biome, "lint", "--reporter=github", "src"], {
    cwd: folder,
    encoding: "utf8",
  });
  return [...stdout.matchAll(/::error .*?line=(\d+)/g)].map(([, line]) => lines[Number(line) - 1]);
}

const REFUSED = [
  "const a: Record<string, number> = {};",
  "const b: Readonly<Record<string, number>> = { x: 1 };",
  "export class C { d: Record<string, number> = {}; }",
  "export const e = (name: string, one: object) => name in one;",
];
const ALLOWED = [
  "const f: Record<string, number> = Object.create(null);",
  "const g = new Map<string, number>();",
  'const h: Record<"x" | "y", number> = { x: 1, y: 2 };',
  'export const i = (one: object) => "x" in one;',
  "export const k = (one: object) => Symbol.iterator in one;",
  "export type J<T> = { [K in keyof T]: 1 };",
];

it("refuses dictionaries that inherit names, and no others", () => {
  expect(findRefused([...REFUSED, ...ALLOWED])).toEqual(REFUSED);
});
