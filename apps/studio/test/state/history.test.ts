import { expect, it } from "vitest";
import { beginHistory, present, record, redoable, step, undoable } from "../../src/state/history.js";

it("goes back and forward, and forgets what was undone when something else is done", () => {
  let history = record(record(beginHistory("a", 1), "b", 2), "c", 3);
  expect([undoable(history), redoable(history)]).toEqual(["c", null]);
  history = step(history, -1);
  expect([present(history), undoable(history), redoable(history)]).toEqual([2, "b", "c"]);
  expect(present(step(history, 1))).toBe(3);
  history = record(history, "d", 4);
  expect([present(history), redoable(history)]).toEqual([4, null]);
  expect(history.steps.map(({ what }) => what)).toEqual(["a", "b", "d"]);
});

it("stays where it is at the ends", () => {
  const history = beginHistory("a", 1);
  expect(step(history, -1)).toEqual(history);
  expect(step(history, 1)).toEqual(history);
  expect(undoable(history)).toBeNull();
});

it("forgets the earliest of very many steps", () => {
  let history = beginHistory("0", 0);
  for (let i = 1; i <= 150; i++) history = record(history, String(i), i);
  expect(history.steps).toHaveLength(100);
  expect(present(history)).toBe(150);
});
