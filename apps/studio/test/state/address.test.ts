import { expect, it } from "vitest";
import { readAddress, writeAddress } from "../../src/state/address.js";
import { FIRST_ORDER } from "../../src/state/store.js";

it("comes back from the address bar", () => {
  const order = { ...FIRST_ORDER, k: 7, seed: 3, method: "nmf", init: "nndsvd", maxIterations: 40 } as const;
  const { restarts: _, ...rest } = order;
  expect(readAddress(writeAddress("abc", "samples", 2, order))).toEqual({
    project: "abc",
    tab: "samples",
    run: 2,
    order: rest,
    open: null,
  });
});

it("ignores what makes no sense", () => {
  expect(readAddress("#tab=nowhere&k=-3&method=magic&seed=x&run=0")).toEqual({
    project: null,
    tab: "data",
    run: null,
    order: {},
    open: null,
  });
  expect(readAddress("#open=abc").open).toBe("abc");
});
