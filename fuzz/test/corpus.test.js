// Every kept input once, faults of the past among them; and that the fuzzer finds what it is for.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { listTargets } from "../bundle.js";
import { fromText, readCorpus, toText } from "../corpus.js";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../run.js", import.meta.url));

it("reads or refuses every kept input within its budget", async () => {
  const { stdout } = await run(process.execPath, [script, "--runs", "0"]);
  expect(stdout).toContain(`${listTargets().length} passed, 0 failed`);
});

it("keeps inputs as text that gives the same bytes again", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(fromText(toText(bytes))).toEqual(bytes);
  expect(toText(Uint8Array.of(35, 32))).toBe("\\x23 ");
  for (const target of listTargets()) {
    for (const { bytes } of readCorpus(target)) expect(fromText(toText(bytes))).toEqual(bytes);
  }
});
