import { expect, it } from "vitest";
import { bin } from "../../src/session/selection.js";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER, FIRST_QUERY } from "../../src/state/store.js";

async function open(example: string, k: number) {
  const session = new LocalSession(() => {});
  const { choice } = await session.openExample(example);
  await session.prepare(choice);
  await session.fit(1, { ...FIRST_ORDER, k, restarts: 1, pace: 0 }, null);
  return session;
}

it("bins the selected samples and all of them over the same range", () => {
  const { least, most, all, selected } = bin("x", Float32Array.of(0, 1, 2, 24, 24), Uint8Array.of(0, 1, 0, 1, 1));
  expect([least, most]).toEqual([0, 24]);
  expect(all.slice(0, 3)).toEqual([1, 1, 1]);
  expect(all.at(-1)).toBe(2);
  expect(selected.slice(0, 3)).toEqual([0, 1, 0]);
  expect(selected.at(-1)).toBe(2);
  expect(bin("x", Float32Array.of(3, 3), Uint8Array.of(1, 0)).all[0]).toBe(2);
});

it("says what sets selected rows of a table apart, and by which labels they go", async () => {
  const session = await open("drinks", 6);
  const espresso = await session.match(1, { ...FIRST_QUERY, label: "espresso" });
  expect(espresso).toHaveLength(80);
  const info = await session.describeSelection(1, espresso);
  expect(info.labels).toEqual([{ label: "espresso", selected: 80, all: 80 }]);
  expect(info.features.map(({ name }) => name)).toContain("strong");
  const strong = info.features.find(({ name }) => name === "strong")!;
  expect(strong.selected.reduce((sum, one) => sum + one)).toBe(80);
  expect(strong.all.reduce((sum, one) => sum + one)).toBe(480);
  expect(strong.selected.slice(0, 8).every((one) => one === 0)).toBe(true);
});

it("says which words selected texts have more of, and shows the mean of pictures", async () => {
  const notes = await open("notes", 5);
  const food = await notes.match(1, { ...FIRST_QUERY, label: "food" });
  expect((await notes.describeSelection(1, food)).words).toContain("garlic");
  const shapes = await open("shapes", 6);
  const bars = await shapes.match(1, { ...FIRST_QUERY, label: "bar" });
  const { picture } = await shapes.describeSelection(1, bars);
  expect(picture![6 * 12 + 6]).toBeGreaterThan(200);
  expect(picture![6 * 12 + 1]).toBeLessThan(60);
});

it("matches within what is selected, and writes only those rows", async () => {
  const session = await open("drinks", 6);
  const among = Uint32Array.of(0, 3, 6);
  expect([...(await session.match(1, { ...FIRST_QUERY, label: "espresso", among }))]).toEqual([0, 6]);
  const whole = (await session.assignments(1, null)).trimEnd().split("\n");
  const part = (await session.assignments(1, null, among)).trimEnd().split("\n");
  expect(part).toEqual([whole[0], whole[1], whole[4], whole[7]]);
});
