// What a release changes: version numbers and the head of the changelog. Pure functions; scripts/release.js writes.

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/;

/** Stops unless `next` can follow `current`: a later version, or the same while it is unreleased. */
export function checkVersion(next, current, unreleased) {
  if (next === undefined) throw new Error("say which version: npm run release -- 1.2.3");
  if (!VERSION.test(next)) throw new Error(`"${next}" is not a version such as 1.2.3`);
  const [a, b] = [next, current].map((version) => VERSION.exec(version).slice(1, 4).map(Number));
  const at = a.findIndex((part, i) => part !== b[i]);
  const later = at >= 0 ? a[at] > b[at] : next === current ? unreleased : current.includes("-");
  if (!later) throw new Error(`${next} cannot follow ${current}`);
}

/**
 * The changelog with its first section dated, and what that section says.
 *
 * @param {string} text CHANGELOG.md; its first section is "## VERSION (unreleased)" or "## Unreleased"
 */
export function dateChangelog(text, version, date) {
  const head = /^## (?:\d\S* \(unreleased\)|Unreleased)$/m.exec(text);
  if (!head) throw new Error('CHANGELOG.md has no section "## Unreleased": say there what changed');
  const rest = text.slice(head.index + head[0].length);
  const notes = rest.slice(0, /^## /m.exec(rest)?.index).trim();
  if (!notes) throw new Error("the unreleased section of CHANGELOG.md is empty: say there what changed");
  return { text: `${text.slice(0, head.index)}## ${version} (${date})${rest}`, notes };
}

/** A manifest at a version, which also asks for that version of every package beside it. */
export function setVersion(manifest, version, names) {
  const next = { ...manifest, version };
  for (const field of ["dependencies", "devDependencies", "optionalDependencies"]) {
    if (!manifest[field]) continue;
    const entries = Object.entries(manifest[field]);
    next[field] = Object.fromEntries(entries.map(([name, range]) => [name, names.includes(name) ? version : range]));
  }
  return next;
}

/** Packages in an order in which each comes after those it depends on. */
export function sortByDependencies(packages) {
  const sorted = [];
  const visit = (one, path = []) => {
    if (sorted.includes(one)) return;
    if (path.includes(one)) throw new Error(`${one.manifest.name} depends on itself`);
    const needed = packages.filter(({ manifest }) => manifest.name in (one.manifest.dependencies ?? {}));
    for (const other of needed) visit(other, [...path, one]);
    sorted.push(one);
  };
  for (const one of packages) visit(one);
  return sorted;
}
