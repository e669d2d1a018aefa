import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "bonmf-bin-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder in which the library is installed; returns its command. */
function installLibrary(folder: string): string {
  const bin = join(folder, "node_modules/bonmf/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "../package.json"), '{ "name": "bonmf", "type": "module" }');
  copyFileSync(fileURLToPath(new URL("../bin/bonmf.js", import.meta.url)), join(bin, "bonmf.js"));
  return join(bin, "bonmf.js");
}

function installCommand(folder: string): void {
  const bin = join(folder, "node_modules/bonmf-cli/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "../package.json"), '{ "name": "bonmf-cli", "type": "module" }');
  writeFileSync(join(bin, "bonmf.js"), "console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;");
}

function run(command: string, cwd: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "fit", "a b.csv"], {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the library's command", () => {
  it("runs bonmf-cli where it is installed beside it, with the arguments and the exit code", () => {
    const folder = join(root, "both");
    const command = installLibrary(folder);
    installCommand(folder);
    expect(run(command, root)).toEqual({ status: 3, stdout: '["fit","a b.csv"]\n', stderr: "" });
  });

  it("runs the bonmf-cli of the project", () => {
    const command = installLibrary(join(root, "store"));
    const project = join(root, "project");
    installCommand(project);
    expect(run(command, project).stdout).toBe('["fit","a b.csv"]\n');
  });

  it("says how to get bonmf-cli where it is missing", () => {
    const folder = join(root, "alone");
    const { status, stdout, stderr } = run(installLibrary(folder), folder);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("bonmf-cli, which is not installed");
    expect(stderr).toContain("npm install bonmf-cli");
  });
});
