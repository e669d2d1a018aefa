import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Dense } from "bonmf";
import { describe, expect, it } from "vitest";
import { budget } from "../../../../../../packages/bonmf/test/budget.js";
import { ParquetReader } from "../../../../src/read/direct/parquet/reader.js";
import { readTable, useFolder } from "../../tables.js";

const { path } = useFolder();
const fixtures = fileURLToPath(new URL("../../fixtures/parquet.json", import.meta.url));
const files: Record<string, string> = JSON.parse(readFileSync(fixtures, "utf8")).files;
const OPTIONS = { strict: true };

/** Straight from the file; null where DuckDB has to read it. */
async function readDirectly(file: string): Promise<Dense | null> {
  const direct = ParquetReader.open([{ path: file, name: file }], 1e6, OPTIONS);
  try {
    return (await direct?.readAlone().catch(() => null))?.found.X ?? null;
  } finally {
    await direct?.close();
  }
}

const bytesOf = (X: Dense) => Buffer.from(X.data.buffer, X.data.byteOffset, X.data.byteLength);

/** The same numbers each time. */
function makeDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/** A bit changed, a byte replaced, or bytes cut out, by turns. */
function damage(bytes: Buffer, turn: number, draw: (below: number) => number): Buffer {
  const at = draw(bytes.length);
  if (turn % 8 === 7) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + draw(16))]);
  const copy = Buffer.from(bytes);
  copy[at] = turn % 2 === 0 ? copy[at] ^ (1 << draw(8)) : draw(256);
  return copy;
}

describe("damaged Parquet files", () => {
  it.each(["first", "second", "bare", "checked"])(
    "%s: what is read directly is what DuckDB reads, and what DuckDB refuses is not read",
    { timeout: 600_000 },
    async (name) => {
      const whole = Buffer.from(files[name], "base64");
      const file = path(`${name}.parquet`);
      const draw = makeDraw(1);
      let read = 0;
      for (let turn = 0; turn < budget(25, 600); turn++) {
        const damaged = damage(whole, turn, draw);
        writeFileSync(file, damaged);
        const X = await readDirectly(file);
        if (X === null) continue;
        read++;
        // Where DuckDB refuses, this fails and says why.
        const { X: right } = await readTable([file], OPTIONS);
        expect(right.samples).toBe(X.samples);
        expect(bytesOf(X).equals(bytesOf(right as Dense)), `turn ${turn}`).toBe(true);
      }
      // Pages with checksums are read only where nothing but an unused byte was changed.
      if (name !== "checked") expect(read).toBeGreaterThan(0);
    },
  );

  it("with a changed bit in a page that has a checksum are refused", async () => {
    const whole = Buffer.from(files.checked, "base64");
    const file = path("page.parquet");
    writeFileSync(file, whole);
    expect(await readDirectly(file)).not.toBeNull();
    for (const at of [200, 1000, 2000, 3000, 4000]) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1;
      writeFileSync(file, damaged);
      expect(await readDirectly(file), `byte ${at}`).toBeNull();
      // DuckDB does not look at checksums.
      await expect(readTable([file], OPTIONS), `byte ${at}`).rejects.toThrow(/damaged/);
    }
  });
});
