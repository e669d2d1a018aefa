import { expect, it } from "vitest";
import { assignRole, type Choice, type Role } from "../../src/data/choice.js";

const columns = (roles: Record<string, Role>) => Object.entries(roles).map(([name, role]) => ({ name, role }));
const planned = columns({ a: "feature", b: "out", c: "label", d: "id" });
const drop = (choice: Choice) => JSON.parse(JSON.stringify(choice));

it("says only what people changed", () => {
  expect(drop(assignRole({}, planned, "b", "feature"))).toEqual({ numbers: ["b"] });
  expect(drop(assignRole({}, planned, "b", "one-hot"))).toEqual({ oneHot: ["b"] });
  expect(drop(assignRole({ missing: "zero" }, planned, "a", "out"))).toEqual({ missing: "zero", exclude: ["a"] });
  expect(drop(assignRole({}, planned, "a", "label"))).toEqual({ label: "a" });
});

it("takes the old role away", () => {
  const choice = { label: "a", exclude: ["a", "b"], oneHot: ["a"], numbers: ["a"], id: "a" };
  expect(drop(assignRole(choice, planned, "a", "id"))).toEqual({ exclude: ["b"], id: "a" });
  expect(drop(assignRole({ text: "b" }, planned, "a", "feature"))).toEqual({ numbers: ["a"] });
});

it("keeps the label and the names that were found beside a chosen text", () => {
  expect(drop(assignRole({}, planned, "b", "text"))).toEqual({ text: "b", label: "c", id: "d" });
  expect(drop(assignRole({}, planned, "c", "text"))).toEqual({ text: "c", label: null, id: "d" });
});
