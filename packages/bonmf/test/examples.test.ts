/**
 * Documentation that runs. Every runtime export of src/index.ts needs a TSDoc `@example` with a fenced ts block; those
 * blocks, and the ts blocks of both README.md and of docs/*.md, are executed here against the sources.
 *
 * - A line `expression; // → value` (also `const name = …; // → value` and `console.log(expression); // → value`) must
 *   be reached, and show that value each time: both sides are compared as `util.inspect` writes them, without regard to
 *   spaces, kinds of quotes and the names of array types, so `Uint8Array(2) [ 0, 1 ]` is `[0, 1]`. A `…` in the value
 *   stands for anything: `0.3…`.
 * - The blocks of one Markdown file share one scope, in order. A block fenced as "ts no-run" is left out.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import * as bonmf from "../src/index.js";

interface Block {
  /** The line of the file on which the code begins, from 1. */
  line: number;
  code: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const entry = "packages/bonmf/src/index.ts";

describe("every export has an example that runs", () => {
  it.each(Object.keys(bonmf))("%s", async (name) => {
    const { file, line, comment } = findComment(entry, name);
    const blocks = /^@example\b/m.test(comment) ? findBlocks(comment, line) : [];
    if (blocks.length === 0) throw new Error(`${name} has no @example with a \`\`\`ts block, ${file}:${line}`);
    for (const block of blocks) await run(file, [block]);
  });
});

describe("every ts block of a page runs", () => {
  const pages = ["README.md", "packages/bonmf/README.md", ...list("docs")];
  it.each(pages)("%s", async (page) => run(page, findBlocks(readFileSync(join(root, page), "utf8"), 1)));
});

function list(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
}

/** The TSDoc comment, or "", above the declaration of `name`, which `file` declares or passes on. */
function findComment(file: string, name: string): { file: string; line: number; comment: string } {
  const text = readFileSync(join(root, file), "utf8");
  const kinds = "(?:async )?function\\*?|(?:abstract )?class|const|let|enum|\\* as";
  const declared = text.match(new RegExp(`^(?:export )?(?:${kinds}) ${name}\\b`, "m"));
  if (declared) {
    const above = text.slice(0, declared.index).trimEnd();
    const start = above.endsWith("*/") ? above.lastIndexOf("/**") : above.length;
    const comment = above.slice(start + 3, -2).replace(/^[ \t]*\* ?/gm, "");
    return { file, line: above.slice(0, start).split("\n").length, comment };
  }
  for (const [, names, target] of text.matchAll(/^(?:export|import) (?:\{([^}]*)\}|\*) from "(\.[^"]+)";/gm)) {
    const source = names === undefined ? name : findSpecifier(names, name);
    const found = source && findComment(join(dirname(file), target.replace(/\.js$/, ".ts")), source);
    if (found && found.comment !== "") return found;
  }
  return { file, line: 1, comment: "" };
}

/** What `name` is called where it comes from, in a list such as `a, b as name`. */
function findSpecifier(names: string, name: string): string | undefined {
  const pairs = names.split(",").map((specifier) => specifier.trim().split(/\s+as\s+/));
  return pairs.find((pair) => pair.at(-1) === name)?.[0];
}

function findBlocks(text: string, firstLine: number): Block[] {
  return [...text.matchAll(/^```ts[ \t]*\n([\s\S]*?)^```[ \t]*$/gm)].map((match) => ({
    line: firstLine + text.slice(0, match.index).split("\n").length,
    code: match[1],
  }));
}

async function run(file: string, blocks: Block[]): Promise<void> {
  const expected = new Map<number, string>();
  const code = blocks.map((block) => prepare(block, expected)).join("\n");
  const reached = new Set<number>();
  const wrong: string[] = [];
  let line = blocks[0]?.line;
  const trace = {
    at: (next: number) => {
      line = next;
    },
    // Collected and not thrown: the example may catch.
    show: (next: number, value: unknown) => {
      line = next;
      reached.add(next);
      const shown = inspect(value, INSPECT);
      if (!toPattern(expected.get(next) ?? "").test(normalise(shown))) wrong.push(`${file}:${next} shows ${shown}`);
    },
    load: (name: string) => (name === "bonmf" ? bonmf : import(name)),
  };
  const quiet = { ...console, log: () => {} };
  try {
    const { code: script } = transformSync(code, { loader: "ts", format: "esm", target: "es2022" });
    await new AsyncFunction("trace", "console", script)(trace, quiet);
  } catch (error) {
    throw new Error(`${file}:${line}: ${(error as Error).message}`, { cause: error });
  }
  for (const next of expected.keys()) if (!reached.has(next)) wrong.push(`${file}:${next} is never reached`);
  expect(wrong).toEqual([]);
}

const AsyncFunction = (async () => {}).constructor as new (
  ...text: string[]
) => (...values: unknown[]) => Promise<void>;

/** Turns a block into statements of one async function, whose names a later block may declare again. */
function prepare({ code, line }: Block, expected: Map<number, string>): string {
  const checked = code.split("\n").map((text, i) => {
    if (!text.includes("// →")) return text;
    const [, statement, value] = text.match(/^\s*(\S.*);\s*\/\/ → (.*)$/) ?? [];
    if (statement === undefined) throw new Error(`line ${line + i} must read "expression; // → value": ${text}`);
    expected.set(line + i, value);
    const declared = statement.match(/^(?:const|let) (\w+)\b/)?.[1];
    const shown = declared ?? statement.match(/^console\.log\((.*)\)$/)?.[1] ?? statement;
    return `${declared ? `${statement}; ` : ""}trace.show(${line + i}, ${shown});`;
  });
  const loaded = checked
    .join("\n")
    .replace(/^import type [^;]*;/gm, "")
    .replace(/^import (\{[^}]*\}|\* as \w+) from ("[^"]+");/gm, (_, names: string, from: string) => {
      const pattern = names
        .replace("* as ", "")
        .replace(/\btype \w+,?/g, "")
        .replace(/ as /g, ": ");
      return `var ${pattern} = await trace.load(${from});`;
    })
    .replace(/^(?:const|let) /gm, "var ");
  return `trace.at(${line});\n${loaded}`;
}

const INSPECT = { depth: 8, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: null, maxStringLength: null };

function normalise(shown: string): string {
  return shown
    .replace(/\b\w*Array(\(\d+\))?\s*(?=\[)/g, "")
    .replace(/\s+/g, "")
    .replace(/['`]/g, '"');
}

function toPattern(value: string): RegExp {
  const parts = normalise(value).split("…");
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*")}$`);
}
