// Licences of everything in package-lock.json: people may use bonmf under MIT without finding other terms behind it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../packages.js";

const PERMISSIVE = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "Unlicense"];
/** Only tools that are never shipped. */
const TOOLS = [...PERMISSIVE, "MPL-2.0"];
/** libvips, under sharp: a library of its own that is loaded, not copied into ours; its users may replace it. */
const LOADED = /^@img\/sharp-/;

const { packages: lock } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const foreign = Object.entries(lock)
  .filter(([path, { link }]) => path.includes("node_modules/") && !link)
  .map(([path, { license, dev }]) => ({ name: path.replace(/^.*node_modules\//, ""), license, dev: dev === true }));

/** "A AND B" needs both, "A OR B" one. */
function isAllowed(expression = "", allowed) {
  const terms = expression.replace(/[()]/g, "").split(" AND ");
  return terms.every((term) => term.split(" OR ").some((one) => allowed.includes(one)));
}

it("are permissive for what people install", () => {
  const installed = foreign.filter(({ dev }) => !dev);
  expect(installed.length).toBeGreaterThan(50);
  const others = installed.filter(
    ({ name, license }) => !isAllowed(license, LOADED.test(name) ? [...PERMISSIVE, "LGPL-3.0-or-later"] : PERMISSIVE),
  );
  expect(others).toEqual([]);
});

it("are known for tools", () => {
  expect(foreign.filter(({ dev, license }) => dev && !isAllowed(license, TOOLS))).toEqual([]);
});

it("of installed packages are those of the lock", () => {
  const installed = Object.entries(lock).filter(([path, { link }]) => path.startsWith("node_modules/") && !link);
  const differing = installed.flatMap(([path, { license, optional }]) => {
    const own = readLicense(path);
    return own === undefined && optional
      ? []
      : own === license
        ? []
        : [`${path}: ${license} in the lock, ${own} there`];
  });
  expect(differing).toEqual([]);
});

function readLicense(path) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    return license?.type ?? license ?? licenses?.[0]?.type;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

it.each([
  ["MIT", true],
  ["(Apache-2.0 AND BSD-3-Clause)", true],
  ["GPL-3.0 OR MIT", true],
  ["MIT AND GPL-3.0", false],
  ["GPL-3.0", false],
  [undefined, false],
])("%s: %s", (expression, allowed) => expect(isAllowed(expression, PERMISSIVE)).toBe(allowed));
