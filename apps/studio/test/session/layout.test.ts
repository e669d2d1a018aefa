import { expect, it, vi } from "vitest";
import type { Event } from "../../src/session/protocol.js";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER } from "../../src/state/store.js";

it("the map begins where the live view shows the samples, moves to its final form, and stays for other runs", async () => {
  const events: Event[] = [];
  const session = new LocalSession((event) => events.push(event));
  const preview = await session.openExample("drinks");
  await session.prepare(preview.choice);
  const order = { ...FIRST_ORDER, k: 6, pace: 0, restarts: 1 };
  const live = await session.chart(order);
  await session.fit(1, order, null);
  const first = await session.spread(1);
  expect(first.map).toBe(live.map);
  await session.findings(1);
  const final = await session.spread(1);
  expect(final.x).not.toEqual(live.x);
  const shown = events.flatMap((event) => (event.type === "map" ? [event.places] : []));
  expect(shown.at(-1)).toEqual(final);
  expect(await session.chart(order)).toMatchObject(final);
  await session.fit(2, { ...order, k: 3, seed: 5 }, null);
  expect(await session.spread(2)).toEqual(final);
  for (const value of [...final.x, ...final.y]) expect(Math.abs(value)).toBeLessThanOrEqual(1);
});

it("the map is made before there is a run, and waits where the settings ask for another", async () => {
  const events: Event[] = [];
  const session = new LocalSession((event) => events.push(event));
  const preview = await session.openExample("drinks");
  await session.prepare(preview.choice);
  const { map, x } = await session.chart(FIRST_ORDER);
  const other = await session.chart({ ...FIRST_ORDER, method: "kmeans" });
  expect(other.map).not.toBe(map);
  const last = () => events.flatMap((event) => (event.type === "map" ? [event.places] : [])).at(-1);
  await vi.waitFor(() => expect(last()?.map).toBe(other.map), 20_000);
  expect((await session.chart(FIRST_ORDER)).x).toEqual(x);
  await vi.waitFor(() => expect(last()?.map).toBe(map), 20_000);
});
