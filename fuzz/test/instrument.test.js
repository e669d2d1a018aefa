import { describe, expect, it } from "vitest";
import { instrument } from "../instrument.js";

describe("instrument", () => {
  const run = (code) => {
    const seen = [];
    globalThis.$tick = (id) => seen.push(id);
    globalThis.$size = (_, length) => length;
    const made = instrument(`globalThis.answer = (() => { ${code} })()`, 0);
    new Function(made.code)();
    return { value: globalThis.answer, seen };
  };

  it.each([
    ["branches without braces", "if (1) if (0) return 1; else return 2; return 3", 2],
    ["arrows with objects", "return (() => ({ a: 1 }))().a", 1],
    ["nested conditions", "const f = (x) => x ? x > 1 ? 'b' : 'a' : 'c'; return f(0) + f(1) + f(2)", "cab"],
    ["logical operators", "return (0 || null) ?? (1 && 5)", 5],
    ["switches", "switch (2) { case 1: return 1; case 2: case 3: return 7; default: }", 7],
    ["loops", "let s = 0; for (const x of [1, 2]) s += x; do s++; while (s < 5); return s", 5],
    ["sizes", "return new Uint8Array(3).length + new Map([[1, 2]]).size", 4],
  ])("keeps the meaning of %s", (_, code, value) => {
    const found = run(code);
    expect(found.value).toBe(value);
    expect(found.seen.length).toBeGreaterThan(0);
  });
});
