import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SHELLS } from "../../src/args/completion-scripts.js";
import { withGlobals } from "../../src/args/parse.js";
import { COMMANDS } from "../../src/commands/index.js";
import { bonmf } from "../binary.js";

const specs = await Promise.all(COMMANDS.map(({ load }) => load()));
const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

describe.each([...SHELLS.keys()])("completion for %s", (shell) => {
  const { code, stdout } = bonmf(["completion", shell]);

  it("knows every command and option", () => {
    expect(code).toBe(0);
    for (const { name, options } of specs) {
      expect(stdout).toContain(name);
      for (const option of withGlobals(options))
        expect(stdout).toContain(shell === "fish" ? `-l ${option.name}` : `--${option.name}`);
    }
  });

  it.runIf(has(shell))("is a script that the shell accepts", () => {
    const folder = mkdtempSync(join(tmpdir(), "bonmf-completion-"));
    try {
      writeFileSync(join(folder, "script"), stdout);
      const { status, stderr } = spawnSync(shell, ["-n", join(folder, "script")], { encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.runIf(has("bash"))("in bash", () => {
  const script = bonmf(["completion", "bash"]).stdout;
  const complete = (...words: string[]) => {
    const list = ["bonmf", ...words].map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _bonmf; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const input = `${script}\n${ask}\n`;
    return spawnSync("bash", ["--norc"], { input, encoding: "utf8" }).stdout.trimEnd().split("\n");
  };

  it.each([
    [["f"], ["fit"]],
    [["co"], ["compare", "completion"]],
    [["fit", "--me"], ["--method"]],
    [
      ["fit", "data.csv", "--method", "s"],
      ["spherical", "semi-binary"],
    ],
    [["fit", "-m", "km"], ["kmeans"]],
    [["compare", "--q"], ["--quiet"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["help", "ins"], ["inspect"]],
    [["--v"], ["--version"]],
  ])("%j becomes %j", (words, found) => expect(complete(...words)).toEqual(expect.arrayContaining(found)));

  it("offers files where files are wanted", () => {
    expect(complete("fit", "/etc/pass")).toContain("/etc/passwd");
    expect(complete("fit", "--out", "/etc/pass")).toContain("/etc/passwd");
  });
});
