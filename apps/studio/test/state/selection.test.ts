import { beforeEach, describe, expect, it } from "vitest";
import { clearSelection, isSelected, selectSamples, toggleSample } from "../../src/state/selection.js";
import { store } from "../../src/state/store.js";

beforeEach(clearSelection);
const numbers = () => store.selection.value && Array.from(store.selection.value.samples);

describe("the selection", () => {
  it("is sorted, without doubles, and says where it comes from", () => {
    selectSamples([7, 2, 7, 300], "the lasso");
    expect(store.selection.value).toEqual({ samples: Uint32Array.of(2, 7, 300), from: "the lasso" });
  });

  it("is nothing where nothing is selected, and then every sample counts", () => {
    selectSamples([], "the lasso");
    expect(store.selection.value).toBeNull();
    expect(isSelected(store.selection.value, 5)).toBe(true);
  });

  it("knows its samples", () => {
    selectSamples([9, 1, 4], "a list");
    expect([0, 1, 2, 4, 9, 10].filter((i) => isSelected(store.selection.value, i))).toEqual([1, 4, 9]);
  });

  it("takes samples in and out", () => {
    toggleSample(4, "the table");
    toggleSample(1, "the table");
    expect(numbers()).toEqual([1, 4]);
    toggleSample(4, "the map");
    expect(store.selection.value).toEqual({ samples: Uint32Array.of(1), from: "the table" });
    toggleSample(1, "the map");
    expect(numbers()).toBeNull();
  });
});
