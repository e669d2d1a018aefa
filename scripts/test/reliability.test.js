// docs/reliability.md names the test that holds each promise: every path it names exists.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../packages.js";

const page = readFileSync(join(root, "docs/reliability.md"), "utf8");
const paths = [...page.matchAll(/`(?:(?:node|bash) )?((?:packages|apps|scripts|docs|\.ci|\.github)\/[^\s`*]+)/g)].map(
  ([, path]) => path,
);

test("names tests that exist", () => {
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
