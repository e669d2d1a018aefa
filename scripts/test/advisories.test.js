import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../packages.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-advisories-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the check with an npm that says `answer`. */
function checkWith(answer) {
  writeFileSync(join(folder, "npm"), `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  return spawnSync(process.execPath, [join(root, "scripts/advisories.js")], { env, encoding: "utf8" });
}

// The npm here is a shell script.
describe.skipIf(process.platform === "win32")("the check of advisories", () => {
  it("fails at a weakness of what people install, whose title it shows", () => {
    const via = [{ title: "It leaks", url: "https://example.org/1" }];
    const vulnerabilities = { leaky: { name: "leaky", severity: "low", range: "<2", via } };
    const { status, stdout } = checkWith({ vulnerabilities, metadata: {} });
    expect(stdout).toContain("leaky <2, low: It leaks (https://example.org/1)");
    expect(stdout).toContain("1 passed, 1 failed");
    expect(status).toBe(1);
  });

  it("passes where there is none", () => {
    const { status, stdout } = checkWith({ vulnerabilities: {}, metadata: {} });
    expect({ status, passed: stdout.includes("2 passed, 0 failed") }).toEqual({ status: 0, passed: true });
  });

  it("counts nothing as passed where the registry does not say", () => {
    const { stdout } = checkWith({ message: "405 Method Not Allowed" });
    expect(stdout).toContain("not checked: no advisory for what people install: the registry gives no advisories");
    expect(stdout).toContain("0 passed, 0 failed");
  });
});
