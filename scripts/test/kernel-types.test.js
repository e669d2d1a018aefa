import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeKernels } from "../kernel-types.js";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bonmf-kernels-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(loops) {
  writeFileSync(join(folder, "index.ts"), 'export { add, count, sum32, sum64 } from "./loops";\n');
  writeFileSync(join(folder, "loops.ts"), loops);
}

const LOOPS = `// A pair.
@unmanaged
export class Pair {
  // One of each: f64 is aligned.
  flag: i32; x: f64;
  next: Pair; small: f32;
}
@inline export function add<T>(p: Pair, at: usize): f64 { return <f64>load<T>(at); }
export function count(p: Pair): void {}
export function sum32(at: usize): f64 { return 0; }
export function sum64(at: usize): f64 { return 0; }
`;

it("compiles a generic function once for each precision", () => {
  write(LOOPS);
  const { entry, types } = describeKernels(folder);
  expect(entry).toContain("export function add32(p: Pair, at: usize): f64 { return add<f32>(p, at); }");
  expect(entry).toContain('export { count } from "./loops";');
  expect(types).toContain("  add32(p: number, at: number): number;\n  add64(p: number, at: number): number;");
  expect(types).toContain("  count(p: number): void;");
  expect(types).toContain("? { add: all.add64, sum: all.sum64 } : { add: all.add32, sum: all.sum32 };");
});

it("derives aligned offsets, and has the compiler check each", () => {
  write(LOOPS);
  const { entry, types } = describeKernels(folder);
  const fields = 'flag: ["u32", 0], x: ["f64", 8], next: ["u32", 16], small: ["f32", 20]';
  expect(types).toContain(`Pair: { bytes: 24, fields: { ${fields} } }`);
  expect(entry).toContain('if (offsetof<Pair>("x") != 8) ERROR("Pair.x");');
});

it("names an export it cannot find", () => {
  write(LOOPS.replace("function count", "function counted"));
  expect(() => describeKernels(folder)).toThrow("loops.ts exports no function count");
});
