// The licences of what a bundle contains, from the list of modules that the bundler put into it. A package without a
// licence's text stops the build: nothing is shipped without its notice.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./packages.js";

export const NOTICES = "THIRD-PARTY-NOTICES.txt";
const HEADING = "Third-party software in this bundle";
const RULE = "-".repeat(80);

/**
 * Packages that the modules come from, without our own: `{ name, version, license, text }`, sorted by name.
 *
 * @param modules paths as bundlers give them: absolute or relative to the current folder, perhaps with a query
 */
export function listBundled(modules) {
  const folders = new Set();
  for (const module of modules) {
    const folder = findFolder(module);
    if (folder) folders.add(folder);
  }
  return [...folders].map(describePackage).sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** One text for all: every package with its copyright, then each licence once. */
export function formatNotices(packages) {
  const groups = new Map();
  for (const one of packages) {
    const { holders, terms } = splitLicense(one.text);
    const key = terms.replace(/\s+/g, " ").toLowerCase();
    const group = groups.get(key) ?? { terms, entries: [] };
    group.entries.push(
      [`${one.name} ${one.version} (${one.license})`, ...holders.map((line) => `    ${line}`)].join("\n"),
    );
    groups.set(key, group);
  }
  const parts = [...groups.values()].map(({ terms, entries }) => `${RULE}\n${entries.join("\n")}\n\n${terms}\n`);
  return `${HEADING}\n\n${parts.join("\n")}`;
}

/** The names in a text made by `formatNotices`, as "name version". */
export function readNotices(text) {
  return [...text.matchAll(/^(\S+ \d\S*) \(\S.*\)$/gm)].map(([, name]) => name);
}

function findFolder(module) {
  // Helpers that Vite adds have no file.
  if (module.startsWith("\0vite/")) return join(root, "node_modules/vite");
  const path = resolve(module.replace(/^\0/, "").replace(/\?.*$/, "")).replaceAll("\\", "/");
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder;
}

function describePackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
  // What a tool like Vite bundles for itself is not in what it makes.
  const read = (file) =>
    readFileSync(join(folder, file), "utf8")
      .split(/^#+ Licenses of bundled dependencies/m)[0]
      .trim();
  const texts = files.sort().map(read);
  if (!license || texts.length === 0) throw new Error(`${name} ${version} is bundled, but has no licence to ship`);
  return { name, version, license, text: texts.join("\n\n").replaceAll("\r\n", "\n") };
}

/** Who holds the copyright differs between packages whose terms are the same. */
function splitLicense(text) {
  const lines = text.split("\n");
  const isHolder = (line) => /^\s*copyright\b.*(\d{4}|\(c\)|©)/i.test(line);
  const holders = lines.filter(isHolder).map((line) => line.trim());
  const terms = lines.filter(
    (line) => !isHolder(line) && !/^\s*(the )?(mit|isc) license( \((mit|isc)\))?\s*$/i.test(line),
  );
  return { holders, terms: terms.join("\n").trim() };
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A plugin for Vite and Rollup: gathers the modules of a build, of its workers too where they use it. */
export function gatherModules(modules) {
  return {
    name: "gather-modules",
    generateBundle(_options, bundle) {
      const parts = Object.values(bundle).flatMap((chunk) => Object.entries(chunk.modules ?? {}));
      for (const [id, { renderedLength }] of parts) if (renderedLength > 0) modules.add(id);
    },
  };
}
