import { Dense, summariseFeatures } from "bonmf";
import { describe, expect, it } from "vitest";
import { chooseInit, chooseStarts, resolveScale, scaleHints } from "../src/defaults.js";

const summary = () =>
  summariseFeatures(
    Dense.from([
      [0, 10],
      [4, 20],
    ]),
  );
const hints = (recipe: object, kind: "csv" | "text" = "csv") =>
  scaleHints({ recipe: { kind, ...recipe } as never, kind, features: ["a", "b"], groups: null }, {});

describe("what is done where nobody says otherwise", () => {
  it("scales as asked, or by the values, with the reason", () => {
    expect(resolveScale("l2", summary, hints({}))).toEqual({ scale: "l2", reason: null });
    const { scale, reason } = resolveScale("auto", summary, hints({}));
    expect(resolveScale(undefined, summary, hints({}))).toEqual({ scale, reason });
    expect(reason).toEqual(expect.any(String));
  });

  it("takes texts, pictures and tables for what they are", () => {
    expect(hints({}, "text").kind).toBe("text");
    expect(hints({ text: {} }).kind).toBe("text");
    expect(hints({ image: {} }).kind).toBe("one-unit");
    expect(hints({}).kind).toBe("table");
  });

  it("begins bonmf with k-means++, and other methods and the paper's W step as they do", () => {
    expect([chooseInit({}), chooseInit({ method: "bonmf" })]).toEqual(["plusplus", "plusplus"]);
    expect(chooseInit({ update: "multiplicative" })).toBeUndefined();
    expect(chooseInit({ method: "nmf" })).toBeUndefined();
    expect(chooseInit({ method: "nmf", init: "random" })).toBe("random");
  });

  it("runs as often as is cheap, unless all runs would be the same", () => {
    const work = { samples: 10, features: 2, k: 2 };
    const most = ({ method }: { method: string }) => (method === "bonmf" ? 10 : 3);
    expect(chooseStarts({}, work, most)).toEqual({ init: "plusplus", restarts: 10 });
    expect(chooseStarts({ method: "nmf" }, work, most)).toEqual({ init: undefined, restarts: 3 });
    expect(chooseStarts({ restarts: 2 }, work, most).restarts).toBe(2);
    expect(chooseStarts({ update: "multiplicative" }, work, most).restarts).toBe(1);
    expect(chooseStarts({ init: Dense.from([[1, 2]]) }, work, most).restarts).toBe(1);
  });
});
