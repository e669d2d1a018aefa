/** Small regions share one memory, which is freed when all of them are garbage-collected. */
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { classifier } from "../../../src/classify/classifier.js";
import { openArena } from "../../../src/engine/memory/shared-memory-arena.js";
import type { Region } from "../../../src/kernel/region.js";
import { fit } from "../../../src/model/fit.js";
import { randomRows } from "../../synthetic.js";

const bufferOf = (region: Region) => region.u32(0, 1).buffer;

it("small regions share a memory", async () => {
  const [a, b, large] = await Promise.all([1000, 1000, 2 ** 20].map(async (bytes) => (await openArena(bytes))!));
  expect(bufferOf(a)).toBe(bufferOf(b));
  expect(bufferOf(large)).not.toBe(bufferOf(a));
  const [first, second] = [a.reserve(1000), b.reserve(1000)];
  expect(Math.abs(second - first)).toBeGreaterThanOrEqual(1000);
});

it("a full memory takes no further regions", async () => {
  const a = (await openArena(1000))!;
  a.reserve(2 ** 24);
  const b = (await openArena(1000))!;
  expect(bufferOf(b)).not.toBe(bufferOf(a));
});

it("is freed when garbage-collected", async () => {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  /** The address that a region reserves; nobody references it afterwards. */
  const visit = async () => (await openArena(1000))!.reserve(100_000);
  const first = await visit();
  const places = [first];
  for (let round = 0; round < 50 && (round < 2 || places.at(-1)! > first); round++) {
    collect();
    await setTimeout(5);
    places.push(await visit());
  }
  expect(places.at(-1)).toBeLessThanOrEqual(first);

  // As long as one is referenced, its memory is not reused.
  const held = (await openArena(1000))!;
  const place = held.reserve(8);
  held.f64(place, 1)[0] = 7;
  for (let round = 0; round < 5; round++) {
    collect();
    await setTimeout(5);
    expect(await visit()).toBeGreaterThan(place);
  }
  expect(held.f64(place, 1)[0]).toBe(7);
});

it("keeps the members of many classifiers apart", async () => {
  const makers = Array.from({ length: 40 }, async (_, seed) => {
    const X = randomRows(seed, 60, 5, 0);
    const model = await fit(X, { k: 3, seed });
    const clf = await classifier(model, X, Array.from(X.keys(), String), { scheme: "vote", neighbors: 1 });
    return { X, clf };
  });
  for (const { X, clf } of await Promise.all(makers)) expect(clf.predict(X)).toEqual(Array.from(X.keys(), String));
});
