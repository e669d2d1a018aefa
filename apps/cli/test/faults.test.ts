/** A part of the fault injection; all of it is `node apps/cli/faults/check.js`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const check = fileURLToPath(new URL("../faults/check.js", import.meta.url));

it.each([
  ["fit", "--faults", "9/14"],
  ["fit", "--kills", "3/12"],
  ["pack", "--faults", "13/30"],
])("%s survives a part of its %s", (name, what, part) => {
  const { stdout } = spawnSync(process.execPath, [check, "--only", name, what, "--part", part], { encoding: "utf8" });
  expect(stdout).toMatch(/[1-9]\d* faults and kills without harm\n1 passed, 0 failed\n$/);
});
