/** Random numbers of many samples at once, against one after the other. */
import { expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { uniform } from "../../../src/random.js";

it.each([
  [0, 2, 0, 128],
  [7, 34, 250, 7],
  [2 ** 53 - 1, 4_000_000_000, 4_294_967_290, 5],
])("seed %d, stream %d, from sample %d", async (seed, stream, first, count) => {
  const region = (await makeRegion(0))!;
  const at = region.reserve(8 * (count + 3));
  region.kernel.draw(seed, Math.floor(seed / 2 ** 32), stream, first, count, at);
  const expected = Float64Array.from({ length: count }, (_, s) => uniform(seed, stream, first + s));
  expect(region.f64(at, count)).toEqual(expected);
});
