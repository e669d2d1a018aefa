// Targets with a fault each: what the fuzzer must find.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instrument } from "../instrument.js";
import { encode, makeRandom, mutate } from "../mutate.js";
import { openRunner } from "../runner.js";

const TARGET = `
export function read(bytes) {
  const text = new TextDecoder().decode(bytes);
  if (text === "refuse") throw new TypeError("refused");
  if (text === "crash") return null.length;
  if (text === "loop") for (;;);
  if (text === "large") { try { return new Float64Array(2 ** 40); } catch { return null; } }
  if (text.startsWith("(")) if (text.endsWith(")")) if (text.includes("ab")) return text.length > 4 ? 1 : 2;
  return [0, 1].map((x) => x || { value: x });
}`;

let folder = "";
let branches = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bonmf-fuzz-"));
  const { code, next } = instrument(TARGET, 0);
  branches = next;
  writeFileSync(join(folder, "oracle.mjs"), 'export const isRefusal = (error) => error.message === "refused";');
  writeFileSync(join(folder, "toy.mjs"), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the runner", () => {
  const open = () => openRunner(folder, branches, "../toy");

  it("tells refusals from faults", async () => {
    const runner = await open();
    expect(await runner.run(encode("refuse"))).toBeUndefined();
    expect(await runner.run(encode("anything"))).toBeUndefined();
    expect((await runner.run(encode("crash"))).text).toMatch(/^TypeError: /);
  });

  it("ends endless loops and large allocations, even where the reader catches the error", async () => {
    const runner = await open();
    expect((await runner.run(encode("loop"))).kind).toBe("the input takes too much work");
    expect((await runner.run(encode("large"))).kind).toBe("the input takes too much memory");
  });

  it("shortens an input that breaks the reader", async () => {
    const runner = await open();
    runner.target = { read: (bytes) => bytes.includes(7) && null.length };
    const bytes = Uint8Array.from({ length: 50 }, (_, i) => i);
    expect(await runner.shrink(bytes, await runner.run(bytes), () => {})).toEqual(Uint8Array.of(7));
  });

  it("reaches branches behind one another by what each input covers", async () => {
    const runner = await open();
    const random = makeRandom(1);
    const known = new Set();
    const corpus = [encode("x")];
    for (let i = 0; i < 3000; i++) {
      const pick = () => corpus[random(corpus.length)];
      const bytes = mutate(pick(), pick(), [encode("ab"), encode("("), encode(")")], 16, random);
      await runner.run(bytes);
      const before = known.size;
      for (const feature of runner.features()) known.add(feature);
      if (known.size > before && bytes.length <= 16) corpus.push(bytes);
    }
    expect(corpus.some((bytes) => /^\(.*ab.*\)$/s.test(String.fromCharCode(...bytes)))).toBe(true);
  });
});
