// What a published package contains and installs, as CycloneDX (https://cyclonedx.org): the packages bundled into it, and
// its dependencies with theirs, in the versions of package-lock.json. Needs no network; the same lock gives the same text.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NOTICES, readNotices } from "./notices.js";
import { root } from "./packages.js";

/** @param folder of the package, relative to the root; built */
export function describeContents(folder, manifest) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const bundled = listNotices(folder).map((name) => findBundled(lock, name));
  const graph = followDependencies(lock, folder);
  const paths = [...new Set([...bundled, ...[...graph.values()].flat()])];
  const components = paths.map((path) => ({
    ...describe(nameOf(lock, path), lock[path]),
    scope: lock[path].optional ? "optional" : "required",
  }));
  const self = describe(manifest.name, manifest);
  const dependencies = [...graph].map(([path, children]) => ({
    ref: path === folder ? self["bom-ref"] : refOf(lock, path),
    dependsOn: children.map((child) => refOf(lock, child)).sort(),
  }));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: self },
    components: components.sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
    dependencies,
  };
}

function listNotices(folder) {
  const path = join(root, folder, "dist", NOTICES);
  return existsSync(path) ? readNotices(readFileSync(path, "utf8")) : [];
}

function findBundled(lock, spec) {
  const [name, version] = spec.split(" ");
  const path = Object.keys(lock).find(
    (path) => path.endsWith(`node_modules/${name}`) && lock[path].version === version,
  );
  if (!path) throw new Error(`${spec} is bundled, but package-lock.json does not have it`);
  return path;
}

/** Paths in the lock → paths of what they depend on, from `start` on. Our own packages are entered by their folder. */
function followDependencies(lock, start) {
  const graph = new Map();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (graph.has(path)) continue;
    const { dependencies = {}, optionalDependencies = {} } = lock[path];
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    const children = names.map((name) => resolveName(lock, path, name)).filter((child) => child !== undefined);
    graph.set(path, children);
    waiting.push(...children);
  }
  return graph;
}

/** As Node looks for a package: in the folder's own node_modules, then in those above. */
function resolveName(lock, from, name) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, "")) {
    const path = `${folder ? `${folder}/` : ""}node_modules/${name}`;
    if (lock[path]) return lock[path].link ? lock[path].resolved : path;
    if (folder === "") return undefined; // optional, for another system
  }
}

/** The lock has a name only where it is not that of the folder. */
function nameOf(lock, path) {
  return lock[path].name ?? path.replace(/^(.*node_modules|packages|apps)\//, "");
}

function refOf(lock, path) {
  return `pkg:npm/${nameOf(lock, path).replace("@", "%40")}@${lock[path].version}`;
}

function describe(name, { version, license, integrity }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license ? { licenses: [{ expression: license }] } : {}),
    ...(base64 ? { hashes: [{ alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") }] } : {}),
  };
}
