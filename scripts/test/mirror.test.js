// Tests stand where what they test stands: every folder of tests has a folder of sources of the same name.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["packages", "apps"]
  .flatMap((room) => readdirSync(join(root, room)).map((name) => join(room, name)))
  .filter((path) => existsSync(join(root, path, "test")));

describe.each(packages)("%s", (path) => {
  const files = readdirSync(join(root, path, "test"), { recursive: true }).filter((file) => /\.test\.ts$/.test(file));
  const folders = [...new Set(files.map((file) => dirname(file)))];

  it("has tests", () => expect(files.length).toBeGreaterThan(0));

  it.each(folders)("test/%s mirrors src/%s", (folder) => {
    expect(existsSync(join(root, path, "src", folder))).toBe(true);
  });
});
