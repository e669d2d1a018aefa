import { beforeAll, describe, expect, it } from "vitest";
import type { Gpu } from "../src/device.js";
import { openGpu } from "../src/device.js";
import { roundsToNearest } from "../src/rounding.js";
import { FLOAT32 } from "../src/shaders/float32.js";
import { TERM } from "../src/shaders/sums.js";
import { FLOAT64 } from "../src/shaders/survey.js";
import { openAdapter } from "./adapter.js";
import { draws } from "./synthetic.js";

let gpu: Gpu;
beforeAll(async () => {
  gpu = (await openGpu(await openAdapter()))!;
});

/** Runs a function of WGSL on every row of four words; its answer has two. */
async function evaluate(source: string, call: string, rows: Uint32Array<ArrayBuffer>): Promise<Uint32Array> {
  const { device } = gpu;
  const count = rows.length / 4;
  const code = `${source}
    @group(0) @binding(0) var<storage, read> rows: array<vec4u>;
    @group(0) @binding(1) var<storage, read_write> out: array<vec2u>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      if (id.x < ${count}u) { let r = rows[id.x]; out[id.x] = ${call}; }
    }`;
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "main" } });
  const [input, output, read] = [0x80 | 0x8, 0x80 | 0x4, 0x1 | 0x8].map((usage, b) =>
    device.createBuffer({ size: b === 0 ? 16 * count : 8 * count, usage }),
  );
  device.queue.writeBuffer(input, 0, rows);
  const entries = [input, output].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(count / 64));
  pass.end();
  encoder.copyBufferToBuffer(output, 0, read, 0, 8 * count);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(0x1);
  return new Uint32Array(read.getMappedRange()).slice();
}

/** Finite floats as words: any of them, near each other, subnormal, whole, halfway between others. */
function makeFloats(seed: number, count: number): Uint32Array<ArrayBuffer> {
  const next = draws(seed);
  const word = () => Math.floor(next() * 2 ** 32) >>> 0;
  const sign = () => (next() < 0.5 ? 0x80000000 : 0);
  const kinds = [
    () => (sign() | (Math.floor(next() * 0xf0) << 23) | (word() & 0x7fffff)) >>> 0,
    () => (sign() | ((118 + Math.floor(next() * 16)) << 23) | (word() & 0x7fffff)) >>> 0,
    () => (sign() | ((100 + Math.floor(next() * 40)) << 23) | (Math.floor(next() * 4) << 21)) >>> 0,
    () => (sign() | (word() & 0x7fffff)) >>> 0,
    () => (sign() | (60 << 23) | (word() & 0x7fffff)) >>> 0,
    () => (sign() | (Math.floor(next() * 30) << 23) | (word() & 0x700000)) >>> 0,
    () => sign(),
    () => (sign() | (127 << 23) | [0, 1, 0x7fffff, 0x400000][Math.floor(next() * 4)]) >>> 0,
  ];
  return Uint32Array.from({ length: count }, () => kinds[Math.floor(next() * kinds.length)]());
}

const asFloats = (words: Uint32Array<ArrayBuffer>) => new Float32Array(words.buffer);

describe("32-bit floats in integers", () => {
  it("have the products and sums of a CPU, to the bit", async () => {
    const a = makeFloats(1, 20_000);
    const b = makeFloats(2, 20_000);
    const rows = new Uint32Array(4 * a.length);
    a.forEach((word, i) => {
      rows.set([word, b[i]], 4 * i);
    });
    const got = await evaluate(FLOAT32, "vec2u(multiply(r.x, r.y), plus(r.x, r.y))", rows);
    const [x, y] = [asFloats(a), asFloats(b)];
    const floats = asFloats(got.slice() as Uint32Array<ArrayBuffer>);
    let seen = 0;
    for (let i = 0; i < a.length; i++) {
      const product = Math.fround(x[i] * y[i]);
      // Results that are not finite are excluded by the engine.
      if (Number.isFinite(product)) expect([x[i], y[i], floats[2 * i] + 0]).toEqual([x[i], y[i], product + 0]);
      expect([x[i], y[i], floats[2 * i + 1] + 0]).toEqual([x[i], y[i], Math.fround(x[i] + y[i]) + 0]);
      seen += +Number.isFinite(product);
    }
    expect(seen).toBeGreaterThan(15_000);
  });

  it("are ordered as numbers", async () => {
    const a = makeFloats(3, 2000);
    const rows = new Uint32Array(4 * a.length);
    a.forEach((word, i) => {
      rows[4 * i] = word;
    });
    const ranks = (await evaluate(FLOAT32, "vec2u(rank(r.x), 0u)", rows)).filter((_, p) => p % 2 === 0);
    const x = asFloats(a);
    for (let i = 1; i < a.length; i++) {
      expect(Math.sign(ranks[i] - ranks[i - 1])).toBe(Math.sign(x[i] - x[i - 1]) + 0);
    }
  });
});

it("the adapter rounds to nearest, which SETTLE_TILES needs", async () => {
  expect(await roundsToNearest(gpu)).toBe(true);
});

describe("terms of sums", () => {
  const e = 21;
  const grid = 1.5 * 2 ** e;
  const wholeOf = (words: Uint32Array, i: number) => (words[2 * i + 1] | 0) * 2 ** 32 + words[2 * i];

  it("are rounded to the grid as the CPU does", async () => {
    const next = draws(5);
    const x = Float32Array.from({ length: 8000 }, () => {
      const value = (next() < 0.5 ? -1 : 1) * 2 ** (20 - Math.floor(next() * 70)) * (0.5 + next() / 2);
      return next() < 0.2 ? Math.round(value * 2 ** 33) / 2 ** 33 + 2 ** -32 : value;
    });
    const words = new Uint32Array(x.buffer);
    const rows = new Uint32Array(4 * x.length);
    words.forEach((word, i) => {
      rows[4 * i] = word;
    });
    const got = await evaluate(TERM, `termOf(r.x, ${e})`, rows);
    x.forEach((value, i) => {
      expect([value, wholeOf(got, i)]).toEqual([value, (value + grid - grid) * 2 ** (52 - e) + 0]);
    });
  });

  it("are first multiplied in 64 bits", async () => {
    const next = draws(6);
    const count = 8000;
    const x = Float32Array.from({ length: count }, () => (next() - 0.5) * 2 ** (30 - Math.floor(next() * 60)));
    // So that products reach 2²⁰ at most.
    const scales = Float64Array.from(
      x,
      (value) => (next() * 2 ** (15 - Math.floor(next() * 30))) / Math.max(1, Math.abs(value)),
    );
    const xWords = new Uint32Array(x.buffer);
    const scaleWords = new Uint32Array(scales.buffer);
    const rows = new Uint32Array(4 * count);
    for (let i = 0; i < count; i++) rows.set([xWords[i], scaleWords[2 * i], scaleWords[2 * i + 1]], 4 * i);
    const got = await evaluate(TERM, `scaledTerm(r.x, r.yz, ${e})`, rows);
    x.forEach((value, i) => {
      const term = scales[i] * value + grid - grid;
      expect([value, scales[i], wholeOf(got, i)]).toEqual([value, scales[i], term * 2 ** (52 - e) + 0]);
    });
  });
});

describe("64-bit floats in integers", () => {
  it("have the squares and sums of a CPU, to the bit", async () => {
    const count = 10_000;
    const [a, b, c] = [7, 8, 9].map((seed) => makeFloats(seed, count));
    const rows = new Uint32Array(4 * count);
    for (let i = 0; i < count; i++)
      rows.set(
        [a[i], b[i], c[i]].map((word) => word & 0x7fffffff),
        4 * i,
      );
    const source = `${FLOAT64}
      fn chain(r: vec4u) -> vec2u { return pack64(add64(add64(square(r.x), square(r.y)), add64(widen(r.z), widen(r.x)))); }`;
    const got = new Float64Array((await evaluate(source, "chain(r)", rows)).buffer);
    const [x, y, z] = [a, b, c].map((words) => asFloats(words).map(Math.abs));
    for (let i = 0; i < count; i++)
      expect([x[i], y[i], z[i], got[i]]).toEqual([x[i], y[i], z[i], x[i] ** 2 + y[i] ** 2 + (z[i] + x[i])]);
  });
});
