import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/commands/index.js";
import { binary, bonmf, hasPty, makeFolder, runInTerminal } from "./binary.js";

it("is built", () => expect(existsSync(binary), `${binary} is missing: npm run build`).toBe(true));

describe("help", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("is shown by %j", (args) => {
    const { code, stdout, stderr } = bonmf(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const { name, summary } of COMMANDS) {
      expect(stdout).toContain(`  ${name} `);
      expect(stdout.replace(/\s+/g, " ")).toContain(summary);
    }
  });

  it.each(COMMANDS)("of $name is the same in all its ways", ({ name }) => {
    const asked = bonmf([name, "--help"]);
    expect(asked.code).toBe(0);
    expect(asked.stdout).toContain(`Usage  bonmf ${name}`);
    expect(bonmf(["help", name]).stdout).toBe(asked.stdout);
    expect(bonmf([name, "-h", "--nonsense"]).stdout).toBe(asked.stdout);
  });

  it("loads neither the library nor the database", () => {
    const { stdout } = spawnSync(process.execPath, ["--import", import.meta.resolve("./loaded.js"), binary, "--help"], {
      encoding: "utf8",
    });
    const loaded = stdout.split("\n").filter((line) => line.startsWith("loaded "));
    expect(loaded.some((line) => line.includes("commands/index.js"))).toBe(true);
    expect(loaded.filter((line) => /duckdb|packages\/bonmf\/dist\/(?!nearest)|sharp|apache-arrow/.test(line))).toEqual(
      [],
    );
  });
});

it("a small CSV loads nothing that only other samples need", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "small.csv"), "a,b\n5,0\n4,1\n0,3\n1,4\n");
  const args = ["--import", import.meta.resolve("./loaded.js"), binary, "fit", "small.csv", "--k", "2"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const loaded = stdout.split("\n").filter((line) => line.startsWith("loaded "));
  expect(loaded.some((line) => line.includes("tasks/fit.js"))).toBe(true);
  const others =
    /apache-arrow|sharp|hyparquet|read\/(formats|direct\/(csv|parquet))|packages\/(spark|report\/dist\/(page|map|index))|write\/(table|format)|cache\/pack|input\/(disk|cluster)/;
  expect(loaded.filter((line) => others.test(line))).toEqual([]);
  const readers = loaded.flatMap((line) => /packages\/data\/dist\/(.+)$/.exec(line)?.[1] ?? []);
  expect(readers.sort()).toEqual(["defaults.js", "errors.js", "index.js", "kinds.js", "nearest.js", "recipe.js"]);
});

it("tells its version", () => {
  const { version } = JSON.parse(readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"));
  expect(bonmf(["--version"])).toEqual({ code: 0, stdout: `bonmf ${version}\n`, stderr: "" });
});

describe("user errors", () => {
  it.each([
    [["ift"], 'error: there is no command "ift"\nhint: did you mean fit?\n'],
    [["frobnicate"], 'error: there is no command "frobnicate"\nhint: bonmf --help lists them\n'],
    [["help", "inspct"], 'error: there is no command "inspct"\nhint: did you mean inspect?\n'],
    [["--verbose"], 'error: there is no command in "bonmf --verbose"\nhint: bonmf --help lists them\n'],
    [["fit", "x", "--lable", "c"], "error: bonmf fit has no option --lable\nhint: did you mean --label or --table?\n"],
    [["fit"], "error: bonmf fit needs DATA: bonmf fit DATA…\nhint: bonmf fit --help shows examples\n"],
    [
      ["inspect", "none.safetensors"],
      "error: there is no model file none.safetensors\nhint: bonmf fit … --out writes one\n",
    ],
    [["completion", "tcsh"], 'error: no completion for "tcsh": choose bash, zsh, fish\n'],
  ])("%j", (args, stderr) => expect(bonmf(args)).toEqual({ code: 1, stdout: "", stderr }));

  it("are also one JSON object with --json, wherever it stands", () => {
    for (const args of [
      ["--json", "fit", "x", "--k", "two"],
      ["fit", "x", "--k", "two", "--json"],
    ]) {
      const { code, stdout, stderr } = bonmf(args);
      const message = '--k needs a whole number or auto, not "two"';
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toEqual({ error: { message, hint: null, code: "user" } });
      expect(stderr).toBe(`error: ${message}\n`);
    }
  });

  it("show the stack only to who asks for it", () => {
    expect(bonmf(["ift"]).stderr).not.toContain("at ");
    expect(bonmf(["ift"], { env: { BONMF_DEBUG: "1" } }).stderr).toContain("main.js");
  });
});

describe("colours", () => {
  it("are only where they are wanted", () => {
    expect(bonmf(["--help"]).stdout).not.toContain("\x1b[");
    expect(bonmf(["--help"], { env: { FORCE_COLOR: "1" } }).stdout).toContain("\x1b[1m");
    expect(bonmf(["ift"], { env: { FORCE_COLOR: "1" } }).stderr).toContain("\x1b[31merror:\x1b[39m");
  });

  it.runIf(hasPty)("are on a terminal, unless NO_COLOR", async () => {
    const line = `${process.execPath} ${binary} --help`;
    expect((await runInTerminal(line)).shown).toContain("\x1b[1m");
    expect((await runInTerminal(line, { env: { NO_COLOR: "1" } })).shown).not.toContain("\x1b[");
  });
});

it("is quiet when the reader goes away", async () => {
  // The script is longer than what the reader takes, and the pipe is closed at once.
  const child = spawn(process.execPath, [binary, "completion", "zsh"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

it.runIf(existsSync("/dev/full"))("says when the results could not be written", () => {
  const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${binary}" --help > /dev/full`], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: the results could not be written to standard output: .*no space/);
});
