import { fit } from "bonmf";
import { expect, it } from "vitest";
import { ShownClusters } from "../../src/session/shown-clusters.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const X = Array.from({ length: 40 }, (_, i) =>
  Array.from({ length: 8 }, (_, f) => (f === i % 8 ? 9 : 1 + ((i * f) % 3))),
);
const model = await fit(X, { k: 8 });
const run = (groups: readonly number[] | null, id = 1) => ({
  id,
  order: FIRST_ORDER,
  model,
  topics: null,
  seconds: 0,
  groups,
});
const merge = (cluster: number) => Array.from({ length: 8 }, (_, j) => (j === cluster ? 0 : j));

it("finds a state of the clusters again, merged or not, and the run's own without merges", () => {
  const clusters = new ShownClusters();
  const whole = clusters.of(run(null));
  const merged = clusters.of(run(merge(3)));
  expect(merged.shown.numbers).toEqual([0, 1, 2, 4, 5, 6, 7]);
  expect(clusters.of(run(merge(0)))).toBe(whole);
  expect(clusters.of(run(merge(3)))).toBe(merged);
  expect(clusters.of(run(merge(3), 2))).not.toBe(merged);
});

it("keeps the states that were used last, and none of a run that is forgotten", () => {
  const clusters = new ShownClusters();
  const [whole, old] = [clusters.of(run(null)), clusters.of(run(merge(1)))];
  for (let cluster = 2; cluster < 6; cluster++) clusters.of(run(merge(cluster)));
  expect(clusters.of(run(null))).toBe(whole);
  clusters.of(run(merge(6)));
  expect(clusters.of(run(null))).toBe(whole);
  expect(clusters.of(run(merge(1)))).not.toBe(old);
  clusters.forget(1);
  expect(clusters.of(run(null))).not.toBe(whole);
});
