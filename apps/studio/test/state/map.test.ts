import { expect, it } from "vitest";
import { mapView, resetMap, setColour, toggleGroup } from "../../src/state/map.js";
import { store } from "../../src/state/store.js";

it("the legend's filter ends with the run whose clusters it names, and with another colour; classes stay", () => {
  store.current.value = 1;
  toggleGroup(7);
  toggleGroup(2);
  toggleGroup(7);
  expect(mapView.only.value).toEqual(new Set([2]));
  store.current.value = 2;
  expect(mapView.only.value.size).toBe(0);
  setColour({ by: "class" });
  toggleGroup(1);
  store.current.value = 1;
  expect(mapView.only.value).toEqual(new Set([1]));
  setColour({ by: "closeness" });
  expect(mapView.only.value.size).toBe(0);
  resetMap();
  expect(mapView.colour.value).toEqual({ by: "cluster" });
});
