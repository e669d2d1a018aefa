import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listPackages, root } from "../packages.js";
import { checkVersion, dateChangelog, setVersion, sortByDependencies } from "../version.js";

describe("checkVersion", () => {
  it.each([
    ["0.1.1", "0.1.0"],
    ["0.2.0", "0.1.9"],
    ["1.0.0", "0.9.9"],
    ["1.0.0", "1.0.0-beta.1"],
  ])("%s follows %s", (next, current) => expect(() => checkVersion(next, current, false)).not.toThrow());

  it.each([
    ["0.1.0", "0.1.0"],
    ["0.1.0", "0.2.0"],
    ["0.9.9", "1.0.0"],
  ])("%s does not follow %s", (next, current) =>
    expect(() => checkVersion(next, current, false)).toThrow(`${next} cannot follow ${current}`),
  );

  it("takes a version again while it is unreleased", () => {
    expect(() => checkVersion("0.1.0", "0.1.0", true)).not.toThrow();
  });

  it.each(["1.2", "v1.2.3", "1.2.3 "])("does not take %s", (next) =>
    expect(() => checkVersion(next, "0.1.0", false)).toThrow("is not a version"),
  );

  it("asks for a version", () => {
    expect(() => checkVersion(undefined, "0.1.0", false)).toThrow("say which version");
  });
});

describe("dateChangelog", () => {
  it.each(["## 0.2.0 (unreleased)", "## Unreleased"])("dates %s", (head) => {
    const before = `# Changelog\n\n${head}\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n`;
    expect(dateChangelog(before, "0.2.0", "2026-02-03")).toEqual({
      text: "# Changelog\n\n## 0.2.0 (2026-02-03)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n",
      notes: "- New.",
    });
  });

  it("wants something to say", () => {
    expect(() => dateChangelog("# Changelog\n\n## 0.1.0 (2026-01-01)\n", "0.2.0", "2026-02-03")).toThrow("no section");
    expect(() => dateChangelog("## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n", "0.2.0", "")).toThrow("is empty");
  });
});

it("setVersion changes a package and what it needs of ours, and nothing else", () => {
  const manifest = { name: "b", version: "0.1.0", dependencies: { a: "0.1.0", other: "7.0.1" }, files: ["dist"] };
  expect(setVersion(manifest, "0.2.0", ["a", "b"])).toEqual({
    name: "b",
    version: "0.2.0",
    dependencies: { a: "0.2.0", other: "7.0.1" },
    files: ["dist"],
  });
});

describe("the packages here", () => {
  it("are published after what they depend on", () => {
    const names = sortByDependencies(listPackages()).map(({ manifest }) => manifest.name);
    expect(names[0]).toBe("bonmf");
    expect(names.indexOf("bonmf-cli")).toBeGreaterThan(names.indexOf("bonmf-studio"));
    const loop = [
      { manifest: { name: "a", dependencies: { b: "1" } } },
      { manifest: { name: "b", dependencies: { a: "1" } } },
    ];
    expect(() => sortByDependencies(loop)).toThrow("a depends on itself");
  });

  it("have one version, which the library says too", () => {
    const [version, ...others] = new Set(listPackages().map(({ manifest }) => manifest.version));
    expect(others).toEqual([]);
    expect(readFileSync(join(root, "packages/bonmf/src/version.ts"), "utf8")).toContain(`VERSION = "${version}"`);
  });
});
