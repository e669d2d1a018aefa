/**
 * docs/cli.md as it is written: its ```sh blocks run one after another in one folder, by the built command. A ```text
 * block shows lines of what the sh block before it printed, in order; "…" stands for anything within a line, and spaces
 * may be more or fewer.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { binary, makeFolder } from "./binary.js";

const page = readFileSync(fileURLToPath(new URL("../../../docs/cli.md", import.meta.url)), "utf8");
const blocks = [...page.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({ kind, text }));
const steps = blocks.flatMap(({ kind, text }, b) => {
  if (kind === "text") return [];
  const next = blocks[b + 1];
  return [{ script: text, expected: next?.kind === "text" ? next.text.trimEnd().split("\n") : [] }];
});

const cwd = makeFolder();
const bin = join(makeFolder(), "bin");
mkdirSync(bin);
writeFileSync(join(bin, "bonmf"), `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`, { mode: 0o755 });
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: "1" };

describe.skipIf(process.platform === "win32" /* its shell is another */)("the tour", () => {
  it("has steps, and something to see at most of them", () => {
    expect(steps.length).toBeGreaterThan(8);
    expect(steps.filter(({ expected }) => expected.length > 0).length).toBeGreaterThan(6);
  });

  for (const { script, expected } of steps) {
    const title = script.split("\n").findLast((line) => line.startsWith("bonmf")) ?? script.split("\n")[0];
    it(title, () => {
      const { status, stdout, stderr } = spawnSync("sh", ["-e", "-c", script], { cwd, env, encoding: "utf8" });
      expect(status, stderr).toBe(0);
      let rest = stdout.split("\n");
      for (const line of expected) {
        const place = rest.findIndex((shown) => toPattern(line).test(normalise(shown)));
        expect(place, `no line ${JSON.stringify(line)} in\n${rest.join("\n")}`).toBeGreaterThanOrEqual(0);
        rest = rest.slice(place + 1);
      }
    });
  }
});

function normalise(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

function toPattern(line: string): RegExp {
  const parts = normalise(line).split(/ ?… ?/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
}
