import { Dense, fit } from "bonmf";
import { expect, it } from "vitest";
import { packFindings, unpackFindings } from "../src/codec.js";
import { collectFindings } from "../src/collect.js";

it("findings come back as they were, typed arrays too", async () => {
  const X = Dense.from([
    [9, 0, 0, 0],
    [6, 0, 0, 3],
    [0, 0, 9, 9],
  ]);
  const model = await fit(X, { k: 2, seed: 1 });
  for (const recipe of [{ image: { width: 2, height: 2 } }, { kind: "text" }, {}]) {
    const findings = await collectFindings(model, { X, recipe, labels: ["$array", "b", "b"] });
    expect(unpackFindings(packFindings(findings))).toEqual(findings);
  }
});
