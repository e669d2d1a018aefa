import { beforeEach, expect, it, vi } from "vitest";
import { cancelFit, startFit } from "../../src/state/actions.js";
import { store } from "../../src/state/store.js";

/** Fits in the order in which they were started; each ends when the test says so. */
const { fits } = vi.hoisted(() => ({ fits: [] as { fail: (error: Error) => void }[] }));

vi.mock("../../src/state/session.js", () => ({
  control: null,
  session: {
    fit: () => new Promise((_, reject) => fits.push({ fail: reject })),
    stop: async () => {},
    forget: async () => {},
  },
}));

beforeEach(() => {
  fits.length = 0;
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
