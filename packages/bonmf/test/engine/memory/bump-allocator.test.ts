import { describe, expect, it } from "vitest";
import {
  freeReserved,
  initAllocator,
  keepReserved,
  PAGE,
  reserve,
  reserveSome,
  usedBytes,
} from "../../../src/engine/memory/bump-allocator.js";

function makeMemory(pages = 2): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 100, shared: true });
  initAllocator(memory);
  return memory;
}

const bytesAt = (memory: WebAssembly.Memory, at: number, length: number) => new Uint8Array(memory.buffer, at, length);

describe("reserve", () => {
  it("gives addresses at cache lines that do not overlap, none in the first page", () => {
    const memory = makeMemory();
    const places = [1, 64, 65, 0, 7].map((bytes) => reserve(memory, bytes));
    expect(places).toEqual([PAGE, PAGE + 64, PAGE + 128, PAGE + 256, PAGE + 256]);
    expect(usedBytes(memory)).toBe(PAGE + 320);
  });

  it("grows the memory", () => {
    const memory = makeMemory();
    const at = reserve(memory, 3 * PAGE);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(at + 3 * PAGE);
  });

  it("gives zeros, also where something was before, unless the caller fills it", () => {
    const memory = makeMemory();
    const first = reserve(memory, 10_000);
    bytesAt(memory, first, 10_000).fill(7);
    freeReserved(memory);
    // Half of it was used before, the rest never.
    expect(reserve(memory, 20_000)).toBe(first);
    expect(bytesAt(memory, first, 20_000).every((byte) => byte === 0)).toBe(true);
    bytesAt(memory, first, 20_000).fill(7);
    freeReserved(memory);
    expect(reserve(memory, 100, true)).toBe(first);
    expect(bytesAt(memory, first, 100).every((byte) => byte === 7)).toBe(true);
  });
});

it("reserveSome takes no more than a share of what is left", () => {
  const memory = makeMemory();
  const most = 9 * PAGE;
  expect(reserveSome(memory, 4 * PAGE + 1, most, 0.5)).toBe(0);
  expect(usedBytes(memory)).toBe(PAGE);
  const at = reserveSome(memory, 4 * PAGE, most, 0.5);
  expect(at).toBe(PAGE);
  expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(at + 4 * PAGE);
  expect(reserveSome(memory, 2 * PAGE, most, 0.5)).toBe(5 * PAGE);
  expect(reserveSome(memory, 2 * PAGE, most, 0.5)).toBe(0);
  expect(reserve(memory, 1)).toBe(7 * PAGE);
});

it("frees what was reserved since keepReserved", () => {
  const memory = makeMemory();
  const kept = reserve(memory, 100);
  bytesAt(memory, kept, 100).fill(5);
  keepReserved(memory);
  const next = reserve(memory, 500);
  freeReserved(memory);
  expect(reserve(memory, 500)).toBe(next);
  expect(bytesAt(memory, kept, 100).every((byte) => byte === 5)).toBe(true);
});
