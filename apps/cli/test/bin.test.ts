import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bonmf, makeFolder } from "./binary.js";

const { bin } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const command = fileURLToPath(new URL(`../${bin.bonmf}`, import.meta.url));
const run = (path: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: "utf8" });
  return { code: status, stdout, stderr };
};

it("the installed command is the built one", () => {
  expect(run(command, "--version")).toEqual(bonmf(["--version"]));
  expect(run(command, "ift")).toEqual(bonmf(["ift"]));
});

it("in a checkout that is not built it says what to do", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  copyFileSync(command, join(folder, "bin/bonmf.js"));
  const stderr = "error: the bonmf command is not built yet\nhint: npm run build\n";
  expect(run(join(folder, "bin/bonmf.js"), "fit")).toEqual({ code: 1, stdout: "", stderr });
});
