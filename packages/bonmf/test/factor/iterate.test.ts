import { describe, expect, it } from "vitest";
import { decideStop, hasConverged, type Moment } from "../../src/factor/iterate.js";
import { METHODS } from "../../src/factor/methods/index.js";
import { resolveOptions } from "../../src/model/options.js";
import type { ALL } from "../synthetic.js";

describe("decideStop", () => {
  const settings = (method: (typeof ALL)[number], more = {}) =>
    resolveOptions({ k: 2, method, maxIterations: 10, ...more }, 10, 3).settings;
  const moment = (iteration: number, more: Partial<Moment> = {}): Moment => ({
    iteration,
    potential: 5,
    relativeError: 0.5,
    changed: 1,
    fingerprint: iteration,
    ...more,
  });

  it("goes on while labels change, stops when none does", () => {
    const s = settings("bonmf");
    expect(decideStop(METHODS.bonmf, s, [moment(1, { changed: 0 })])).toBe(null);
    expect(decideStop(METHODS.bonmf, s, [moment(1), moment(2)])).toBe(null);
    expect(decideStop(METHODS.bonmf, s, [moment(1), moment(2, { changed: 0 })])).toBe("fixed-point");
  });

  it("sees the same labels and potential come back", () => {
    const s = settings("bonmf");
    const [a, b] = [
      { fingerprint: 77, potential: 5 },
      { fingerprint: 88, potential: 5 },
    ];
    expect(decideStop(METHODS.bonmf, s, [moment(1, a), moment(2, b)])).toBe(null);
    expect(decideStop(METHODS.bonmf, s, [moment(1, a), moment(2, b), moment(3, a)])).toBe("cycle");
    expect(decideStop(METHODS.bonmf, s, [moment(1, a), moment(2, b), moment(3, { ...a, potential: 6 })])).toBe(null);
    expect(decideStop(METHODS.bonmf, s, [moment(1, a), moment(2, b), moment(3, { ...a, changed: 0 })])).toBe(
      "fixed-point",
    );
    // Real-valued codes have no fingerprint: they are judged by the potential alone.
    const real = { fingerprint: 0, potential: 5 };
    expect(decideStop(METHODS.onmf, settings("onmf"), [moment(1, real), moment(2, real), moment(3, real)])).toBe(null);
  });

  it("ends at the limit, but a fixed point there is a fixed point", () => {
    const s = settings("bonmf", { maxIterations: 2 });
    expect(decideStop(METHODS.bonmf, s, [moment(1), moment(2)])).toBe("iterations");
    expect(decideStop(METHODS.bonmf, s, [moment(1), moment(2, { changed: 0 })])).toBe("fixed-point");
    expect(decideStop(METHODS.bonmf, settings("bonmf", { maxIterations: 1 }), [moment(1)])).toBe("iterations");
  });

  it("takes a settled potential as the end of one-hot methods where a tolerance is given", () => {
    const near = [moment(1, { potential: 5.004 }), moment(2)];
    expect(decideStop(METHODS.bonmf, settings("bonmf", { tolerance: 1e-3 }), near)).toBe("tolerance");
    expect(decideStop(METHODS.bonmf, settings("bonmf", { tolerance: 1e-4 }), near)).toBe(null);
    expect(decideStop(METHODS.bonmf, settings("bonmf"), [moment(1), moment(2)])).toBe(null);
    const still = [near[0], moment(2, { changed: 0 })];
    expect(decideStop(METHODS.bonmf, settings("bonmf", { tolerance: 1e-3 }), still)).toBe("fixed-point");
  });

  it("takes a settled potential as the end of real-valued methods", () => {
    const s = settings("nmf", { tolerance: 1e-3 });
    const far = [moment(1, { potential: 6 }), moment(2)];
    const near = [moment(1, { potential: 5.004 }), moment(2)];
    expect(decideStop(METHODS.nmf, s, far)).toBe(null);
    expect(decideStop(METHODS.nmf, s, near)).toBe("tolerance");
    // Exactly the tolerance counts as settled: 0.5 of 2, in numbers without rounding.
    const half = [moment(1, { potential: 3 }), moment(2, { potential: 2 })];
    expect(decideStop(METHODS.nmf, settings("nmf", { tolerance: 0.5 }), half)).toBe("tolerance");
    expect(decideStop(METHODS.nmf, settings("nmf", { tolerance: 0.49 }), half)).toBe(null);
    expect(decideStop(METHODS.nmf, settings("nmf", { tolerance: 0 }), near)).toBe(null);
    expect(decideStop(METHODS["em-onmf"], settings("em-onmf", { tolerance: 1e-3 }), near)).toBe(null);
    const still = [near[0], moment(2, { changed: 0 })];
    expect(decideStop(METHODS["em-onmf"], settings("em-onmf", { tolerance: 1e-3 }), still)).toBe("tolerance");
  });
});

it("a fixed point and a settled potential are convergence, the other ends are not", () => {
  const ends = ["fixed-point", "tolerance", "cycle", "iterations", "aborted"] as const;
  expect(ends.filter(hasConverged)).toEqual(["fixed-point", "tolerance"]);
});
