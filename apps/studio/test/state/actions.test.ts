import { beforeEach, expect, it, vi } from "vitest";
import type { Summary } from "../../src/session/protocol.js";
import { cancelFit, setOrder, startFit, willFindTopics } from "../../src/state/actions.js";
import { FIRST_ORDER, store } from "../../src/state/store.js";

/** Fits in the order in which they were started; each ends when the test says so. */
const { fits, charts } = vi.hoisted(() => ({
  fits: [] as { fail: (error: Error) => void }[],
  charts: [] as unknown[],
}));

vi.mock("../../src/state/session.js", () => ({
  control: null,
  session: {
    fit: () => new Promise((_, reject) => fits.push({ fail: reject })),
    chart: async (order: unknown) => charts.push(order) && null,
    stop: async () => {},
    forget: async () => {},
  },
}));

beforeEach(() => {
  fits.length = 0;
  charts.length = 0;
  store.live.value = null;
  store.problem.value = null;
});

it("shows the error of a fit", async () => {
  const ended = startFit();
  fits[0].fail(new Error("out of memory"));
  await ended;
  expect(store.live.value).toBeNull();
  expect(store.problem.value).toBe("out of memory");
});

it("ignores the error of a cancelled fit", async () => {
  const ended = startFit();
  await cancelFit();
  fits[0].fail(new Error("stopped"));
  await ended;
  expect(store.problem.value).toBeNull();
});

it("ignores the error of a cancelled fit while the next one runs", async () => {
  const ended = startFit();
  await cancelFit();
  void startFit();
  fits[0].fail(new Error("stopped"));
  await ended;
  expect(store.live.value).toMatchObject({ state: "running" });
  expect(store.problem.value).toBeNull();
});

it.each([
  ["text", null, [true, false, 1]],
  ["text", 0.5, [true, true, 0]],
  ["table", null, [false, false, 0]],
] as const)(
  "a beginning that is chosen ends topics, and scales anew: %s, vectors %s",
  async (form, vectorWeight, want) => {
    store.summary.value = { form, vectorWeight } as Summary;
    store.order.value = FIRST_ORDER;
    const before = willFindTopics(store.order.value);
    await setOrder({ init: "random" });
    expect([before, willFindTopics(store.order.value), charts.length]).toEqual(want);
  },
);
