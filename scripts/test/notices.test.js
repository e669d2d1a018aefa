// What is bundled into the studio and into every report is shipped with its licence.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { formatNotices, listBundled, NOTICES, readNotices } from "../notices.js";
import { root } from "../packages.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-notices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a package of two files and returns the path of its module. */
function makePackage(name, license) {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, version: "1.2.3", license: "MIT" }));
  if (license) writeFileSync(join(place, "LICENSE.md"), license);
  return join(place, "index.js");
}

describe("notices of a bundle", () => {
  it("name every package once, and terms that several share once", () => {
    const a = makePackage(
      "a",
      "The MIT License (MIT)\n\nCopyright (c) 2020 Ada\n\nPermission is granted.\nNo warranty.",
    );
    const b = makePackage("@scope/b", "MIT License\n\nCopyright (c) 2021 Ben\n\nPermission is  granted.\nNo warranty.");
    const text = formatNotices(listBundled([a, `${b}?url`, b, "packages/bonmf/src/index.ts"]));
    expect(readNotices(text)).toEqual(["@scope/b 1.2.3", "a 1.2.3"]);
    for (const part of ["Copyright (c) 2020 Ada", "Copyright (c) 2021 Ben"]) expect(text).toContain(part);
    expect(text.match(/No warranty/g)).toHaveLength(1);
  });

  it("cannot be made of a package without a licence's text", () => {
    expect(() => listBundled([makePackage("bare")])).toThrow("bare 1.2.3 is bundled, but has no licence to ship");
  });
});

describe("as built", () => {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const noticed = (place) =>
    new Set(readNotices(read(join(place, "dist", NOTICES))).map((one) => one.replace(/ .*/, "")));

  it("a report carries the licences of all that its script contains", async () => {
    const entryPoints = [join(root, "packages/report/dist/entry.js")];
    const { metafile } = await build({
      entryPoints,
      bundle: true,
      write: false,
      format: "esm",
      metafile: true,
      minify: true,
    });
    const [{ inputs }] = Object.values(metafile.outputs);
    const used = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
    const names = used.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    expect(noticed("packages/report")).toEqual(new Set(names));
    expect(names).toContain("@observablehq/plot");
    const { SCRIPT } = await import(pathToFileURL(join(root, "packages/report/dist/assets.js")).href);
    expect(readNotices(SCRIPT)).toEqual(readNotices(read(`packages/report/dist/${NOTICES}`)));
    for (const words of ["Mike Bostock", "Permission to use, copy, modify"]) expect(SCRIPT).toContain(words);
  });

  it("the studio has the licences of its packages, of those of its workers and of the reports it writes", () => {
    const names = noticed("apps/studio");
    const { devDependencies } = JSON.parse(read("apps/studio/package.json"));
    const foreign = Object.keys(devDependencies).filter((name) => !name.startsWith("bonmf"));
    expect([...foreign, ...noticed("packages/report")].filter((name) => !names.has(name))).toEqual([]);
  });

  it("nothing else that we publish has foreign code in it", () => {
    for (const place of ["packages/bonmf", "packages/data", "packages/spark", "apps/cli", "apps/reproduce"])
      expect(existsSync(join(root, place, "dist", NOTICES)), place).toBe(false);
  });
});
