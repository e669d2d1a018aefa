// A file for readers that take a path; gone with the process.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function placeFile(ending) {
  const path = join(tmpdir(), `bonmf-fuzz-${process.pid}.${ending}`);
  process.on("exit", () => rmSync(path, { force: true }));
  return path;
}
