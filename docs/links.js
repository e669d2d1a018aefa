import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BASE } from "./serve.js";

const DIST = fileURLToPath(new URL(".vitepress/dist", import.meta.url));

/** The pages of the built site: `{ path, html }`. The demos are not among them. */
export function listPages() {
  const files = readdirSync(DIST, { recursive: true }).map((file) =>
    relative(DIST, join(DIST, file)).replaceAll("\\", "/"),
  );
  return files
    .filter((file) => file.endsWith(".html") && !file.startsWith("demo/") && file !== "404.html")
    .map((file) => ({
      path: file.replace(/(^|\/)index\.html$|\.html$/, "$1"),
      html: readFileSync(join(DIST, file), "utf8"),
    }));
}

/** Links, images and frames that lead to no file of the site, or to no heading of the page. */
export function findBrokenLinks(pages) {
  const files = new Set(readdirSync(DIST, { recursive: true }).map((file) => file.replaceAll("\\", "/")));
  const ids = new Map(
    pages.map(({ path, html }) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const broken = [];
  for (const { path, html } of pages) {
    const targets = new Set(
      [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target]) => target.replaceAll("&amp;", "&")),
    );
    for (const target of targets) {
      const url = new URL(target, `http://site${BASE}${path}`);
      if (url.host !== "site") continue;
      const [place, id] = [decodeURIComponent(url.pathname), decodeURIComponent(url.hash.slice(1))];
      const file = place.slice(BASE.length);
      const found =
        place.startsWith(BASE) && ["", ".html", "index.html", "/index.html"].some((end) => files.has(file + end));
      if (!found) broken.push(`/${path}: ${target}`);
      else if (id && ids.has(file) && !ids.get(file).has(id)) broken.push(`/${path}: ${target} (no such heading)`);
    }
  }
  return broken;
}
