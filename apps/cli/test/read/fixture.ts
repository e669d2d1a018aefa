import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";

/** A folder that is gone when the tests of the file are done. */
export function makeFolder() {
  const path = mkdtempSync(join(tmpdir(), "bonmf-test-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    /** Writes a file and says where it is. */
    put(name: string, content: string | Uint8Array): string {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}

/** Files that pyarrow, NumPy and SciPy wrote; see fixtures/generate.py. */
export function foreign(name: string): Buffer {
  const text = readFileSync(fileURLToPath(new URL("fixtures/foreign.json", import.meta.url)), "utf8");
  return Buffer.from((JSON.parse(text) as Record<string, string>)[name], "base64");
}

export function rowsOf(X: { samples: number; row(i: number): ArrayLike<number> }): number[][] {
  return Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i)));
}

/** What a promise is rejected with: class, message and hint. */
export async function failure(promise: Promise<unknown>): Promise<{ name: string; message: string; hint?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as { name: string; message: string; hint?: string };
  }
  return expect.fail("nothing was thrown");
}
