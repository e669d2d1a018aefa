import { describe, expect, it } from "vitest";
import { weighFeatures } from "../../src/classify/relief.js";
import { Dense } from "../../src/matrix/dense.js";
import { draws } from "../synthetic.js";

describe("the relevance of features", () => {
  const next = draws(7);
  const pick = () => Math.floor(3 * next());
  const Z = Dense.from(Array.from({ length: 300 }, () => [pick(), pick(), pick(), pick()]));

  it("is that of features which matter only together", () => {
    const y = Uint32Array.from({ length: 300 }, (_, i) => Number(Z.row(i)[0] === Z.row(i)[2]));
    const [a, b, c, d] = weighFeatures(Z, y, 2);
    expect(Math.min(a, c)).toBeGreaterThan(0.5);
    expect(Math.max(b, d)).toBeLessThan(0.1);
  });

  it("is the same for all features where nothing can be told", () => {
    expect([...weighFeatures(Z, new Uint32Array(300), 1)]).toEqual([1, 1, 1, 1]);
    const same = Dense.from(Array.from({ length: 8 }, () => [1, 2]));
    expect([
      ...weighFeatures(
        same,
        Uint32Array.from({ length: 8 }, (_, i) => i % 2),
        2,
      ),
    ]).toEqual([1, 1]);
  });

  it("counts rare classes by how rare they are, and classes without samples not at all", () => {
    const y = Uint32Array.from({ length: 300 }, (_, i) => (Z.row(i)[1] === 2 ? 2 : 0));
    const weights = weighFeatures(Z, y, 4);
    expect(weights[1]).toBe(1);
    for (const f of [0, 2, 3]) expect(weights[f]).toBeLessThan(0.1);
  });
});
