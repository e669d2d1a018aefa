import { readdirSync, readFileSync } from "node:fs";
import * as bonmf from "bonmf";
import { expect, it } from "vitest";
import * as own from "../src/index.js";

/** The examples of public exports run: `expression; // → value` is compared. */
const sources = readdirSync(new URL("../src/", import.meta.url)).filter((name) => name.endsWith(".ts"));
const examples = sources.flatMap((name) => {
  const text = readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/@example\n \* ```ts\n([\s\S]*?) \* ```[\s\S]*?export (?:async )?function (\w+)/g)];
  return blocks.map(([, block, exported]) => [exported, block.replace(/^ \* ?/gm, "")] as const);
});

it("every exported function has one", () => {
  const functions = Object.entries(own).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
  expect(examples.map(([exported]) => exported).sort()).toEqual(functions.sort());
});

it.each(examples)("%s", async (_, code) => {
  const names = { ...bonmf, ...own, expect };
  const body = code
    .replace(/^import .*$/gm, "")
    .replace(/^(.+); \/\/ → (.+)$/gm, (_line, expression, value) => `expect(${expression}).toEqual(${value});`);
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(names), body)(...Object.values(names));
  expect.hasAssertions();
});
