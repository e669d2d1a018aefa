import { Dense, Sparse } from "bonmf";
import { describe, expect, it } from "vitest";
import { measureEffects } from "../src/effects.js";

// Members of cluster 0: 4, 6, 8; all others: 1, 2, 3. The second feature is the other way round, the third says nothing.
const X = Dense.from(
  [
    [4, 1, 5],
    [6, 2, 7],
    [8, 3, 6],
    [1, 4, 6],
    [2, 6, 5],
    [3, 8, 7],
  ],
  "f64",
);
const clusters = [0, 0, 0, 1, 1, 1];
const names = ["up", "down", "same"];

describe("effects", async () => {
  const [own] = await measureEffects(X, clusters, 2, 8, names);

  it("are Cohen's d with its interval, by hand", () => {
    const up = own.find(({ name }) => name === "up")!;
    // Variances 4 and 1, pooled 2.5; means 6 and 2.
    const d = 4 / Math.sqrt(2.5);
    expect(up).toMatchObject({ feature: 0, direction: "high", value: 6, mean: 2 });
    expect(up.effect!.d).toBeCloseTo(d, 12);
    const error = 1.96 * Math.sqrt(6 / 9 + (d * d) / 12);
    expect(up.effect!.from).toBeCloseTo(d - error, 12);
    expect(up.effect!.to).toBeCloseTo(d + error, 12);
    expect(up.effect).toMatchObject({ average: 6, sd: 2, elsewhere: 2, elsewhereSd: 1, binary: false });
  });

  it("count a weight of 2 as two samples, and a sample twice with half the weight as one", async () => {
    const rows = [0, 1, 1, 2, 3, 4, 5];
    const take = (ids: number[]) => [X.take(ids), ids.map((i) => clusters[i])] as const;
    const copies = await measureEffects(...take(rows), 2, 8, names);
    const weighted = await measureEffects(X, clusters, 2, 8, names, [1, 2, 1, 1, 1, 1]);
    const halves = await measureEffects(
      ...take(rows),
      2,
      8,
      names,
      [1, 1, 1, 1, 1, 1, 1].map((one, p) => (p === 1 || p === 2 ? one / 2 : one)),
    );
    for (const [found, expected] of [
      [weighted, copies],
      [halves, await measureEffects(X, clusters, 2, 8, names)],
    ]) {
      expect(found.flat().map(({ name }) => name)).toEqual(expected.flat().map(({ name }) => name));
      found.flat().forEach(({ effect }, p) => {
        for (const of of ["d", "from", "to", "average", "sd", "elsewhereSd"] as const) {
          expect(effect![of]).toBeCloseTo(expected.flat()[p].effect![of], 10);
        }
      });
    }
  });

  it("leave out samples without weight, and take weights that are shares", async () => {
    const some = await measureEffects(X, [0, 0, 1, 1, 1, 1], 2, 8, names, [0.1, 0.1, 0, 0.1, 0.1, 0.1]);
    const without = await measureEffects(X.take([0, 1, 3, 4, 5]), [0, 0, 1, 1, 1], 2, 8, names);
    expect(some.flat().map(({ name, value }) => [name, value.toFixed(9)])).toEqual(
      without.flat().map(({ name, value }) => [name, value.toFixed(9)]),
    );
  });

  it("go both ways and leave out what is the same everywhere", async () => {
    expect(own.map(({ name, direction }) => [name, direction])).toEqual([
      ["up", "high"],
      ["down", "low"],
    ]);
    expect((await measureEffects(X, clusters, 2, 1, names))[1]).toHaveLength(1);
  });

  it("are the same for sparse samples, and for values far from zero", async () => {
    const [sparse] = await measureEffects(Sparse.fromDense(X), clusters, 2, 8, names);
    const far = Dense.from(
      Array.from({ length: 6 }, (_, i) => Array.from(X.row(i), (x) => x + 1e7)),
      "f64",
    );
    const [moved] = await measureEffects(far, clusters, 2, 8, names);
    own.forEach(({ effect }, f) => {
      expect(sparse[f].effect!.d).toBeCloseTo(effect!.d, 10);
      expect(moved[f].effect!.d).toBeCloseTo(effect!.d, 6);
    });
  });

  it("tell shares of columns of 0 and 1", async () => {
    const yes = Dense.from(Array.from({ length: 40 }, (_, i) => [i < 18 || i > 37 ? 1 : 0]));
    const halves = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 1));
    const [[first]] = await measureEffects(yes, halves, 2, 8, ["species=Adelie"]);
    expect(first).toMatchObject({ direction: "high", effect: { binary: true } });
    expect(first.value).toBeCloseTo(0.9, 12);
    expect(first.mean).toBeCloseTo(0.1, 12);
  });

  it("do not believe one member, but many", async () => {
    const one = Dense.from(Array.from({ length: 40 }, (_, i) => [i === 0 ? 28 : i % 30]));
    expect(
      (
        await measureEffects(
          one,
          Array.from({ length: 40 }, (_, i) => (i === 0 ? 0 : 1)),
          2,
          8,
          null,
        )
      )[0],
    ).toEqual([]);
  });

  it("are bounded where nothing varies, and absent without members or others", async () => {
    const apart = Dense.from([[1], [1], [2], [2]]);
    const [low, high, none] = await measureEffects(apart, [0, 0, 1, 1], 3, 8, null);
    expect(low[0]).toMatchObject({ name: "#1", direction: "low", effect: { d: -100, sd: 0 } });
    expect(high[0].effect!.d).toBe(100);
    expect(none).toEqual([]);
    expect(await measureEffects(apart, [0, 0, 0, 0], 1, 8, null)).toEqual([[]]);
  });

  it("of signed values are those of the same values moved", async () => {
    const signed = Dense.from(
      Array.from({ length: 6 }, (_, i) => Array.from(X.row(i), (x) => x - 5)),
      "f64",
    );
    expect(
      (await measureEffects(signed, clusters, 2, 8, names))[0].map(({ name, direction }) => [name, direction]),
    ).toEqual([
      ["up", "high"],
      ["down", "low"],
    ]);
  });
});
