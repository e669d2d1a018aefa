import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { brierScore, calibration, logLoss, rocAuc, rocCurve } from "../../src/measure/index.js";

const CLASSES = ["ape", "bee", "cat"] as const;

/** Shares on a coarse grid, so that ties are common, beside true labels of which "eel" is none of the classes. */
const judged = fc
  .array(
    fc.tuple(
      fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4)).filter((parts) => parts.some((part) => part > 0)),
      fc.constantFrom(...CLASSES, "eel"),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((rows) => ({
    truth: rows.map(([, label]) => label),
    P: rows.map(([parts]) => parts.map((part) => part / (parts[0] + parts[1] + parts[2]))),
  }));

/** The share of pairs in the right order, counted one by one. */
function countPairs(scores: readonly number[], own: readonly boolean[]): number | null {
  let [won, pairs] = [0, 0];
  scores.forEach((a, i) => {
    scores.forEach((b, j) => {
      if (!own[i] || own[j]) return;
      pairs++;
      won += a > b ? 1 : a === b ? 0.5 : 0;
    });
  });
  return pairs === 0 ? null : won / pairs;
}

describe("logLoss", () => {
  it("is the mean of −ln of what the true class got", () => {
    const P = [
      [0.5, 0.25, 0.25],
      [0.1, 0.8, 0.1],
    ];
    expect(logLoss(["ape", "bee"], P, CLASSES)).toBeCloseTo((Math.log(2) - Math.log(0.8)) / 2, 15);
    expect(logLoss(["cat", "ape"], P, CLASSES)).toBeCloseTo((Math.log(4) + Math.log(10)) / 2, 15);
  });

  it("stays finite where the true class got nothing, or is unknown", () => {
    expect(logLoss(["bee"], [[1, 0, 0]], CLASSES)).toBeCloseTo(52 * Math.log(2), 12);
    expect(logLoss(["eel"], [[0.2, 0.2, 0.6]], CLASSES)).toBeCloseTo(52 * Math.log(2), 12);
    expect(logLoss(["ape"], [[1, 0, 0]], CLASSES)).toBe(0);
  });
});

describe("brierScore", () => {
  it("is the squared distance to the truth, halved for two classes", () => {
    expect(brierScore(["ape"], [[0.5, 0.25, 0.25]], CLASSES)).toBe(0.25 + 0.0625 + 0.0625);
    expect(
      brierScore(
        ["bee", "ape"],
        [
          [1, 0, 0],
          [1, 0, 0],
        ],
        CLASSES,
      ),
    ).toBe(1);
    expect(
      brierScore(
        [0, 1],
        [
          [0.75, 0.25],
          [0.75, 0.25],
        ],
        [0, 1],
      ),
    ).toBe((0.0625 + 0.5625) / 2);
    expect(brierScore(["ape"], [[1]], ["ape"])).toBe(0);
  });

  it("counts a class that training did not see as a whole miss", () => {
    expect(brierScore(["eel"], [[1, 0, 0]], CLASSES)).toBe(2);
    expect(brierScore(["eel"], [[0.5, 0.5, 0]], CLASSES)).toBe(1.5);
  });
});

describe("rocAuc", () => {
  it("equals the share of pairs in the right order, ties as halves, to the bit", () => {
    fc.assert(
      fc.property(judged, ({ truth, P }) => {
        const { classes } = rocAuc(truth, P, CLASSES);
        CLASSES.forEach((label, c) => {
          const own = truth.map((one) => one === label);
          const scores = P.map((row) => row[c]);
          expect(classes[c]).toEqual({ label, auc: countPairs(scores, own), support: own.filter(Boolean).length });
        });
      }),
    );
  });

  it("averages the classes that have an area", () => {
    const P = [
      [0.75, 0.25, 0],
      [0.25, 0.75, 0],
      [0.5, 0.5, 0],
      [0.25, 0.75, 0],
    ];
    const { classes, macro, weighted } = rocAuc(["ape", "bee", "ape", "bee"], P, CLASSES);
    expect(classes.map(({ auc }) => auc)).toEqual([1, 1, null]);
    expect([macro, weighted]).toEqual([1, 1]);
    const skewed = rocAuc(
      ["ape", "bee", "bee", "bee"],
      [
        [0.5, 0.5],
        [0.5, 0.5],
        [0.25, 0.75],
        [1, 0],
      ],
      ["ape", "bee"],
    );
    expect(skewed.classes.map(({ auc }) => auc)).toEqual([0.5, 0.5]);
    const mixed = rocAuc(
      ["ape", "ape", "bee", "cat"],
      [
        [1, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
      ],
      CLASSES,
    );
    expect(mixed.classes.map(({ auc }) => auc)).toEqual([0.75, 0.5, 1 / 3]);
    expect(mixed.macro).toBeCloseTo((0.75 + 0.5 + 1 / 3) / 3, 15);
    expect(mixed.weighted).toBeCloseTo((2 * 0.75 + 0.5 + 1 / 3) / 4, 15);
  });

  it("has no area where all samples are of one class", () => {
    expect(
      rocAuc(
        [1, 1],
        [
          [0.5, 0.5],
          [0, 1],
        ],
        [0, 1],
      ),
    ).toEqual({
      classes: [
        { label: 0, auc: null, support: 0 },
        { label: 1, auc: null, support: 2 },
      ],
      macro: null,
      weighted: null,
    });
  });
});

describe("calibration", () => {
  it("puts a limit into the bin below it", () => {
    const P = [0.5, 0.6, 0.75, 1].map((p) => [p, 1 - p]);
    const { bins } = calibration(["a", "a", "b", "a"], P, ["a", "b"], 4);
    expect(bins.map(({ count }) => count)).toEqual([0, 1, 2, 1]);
    expect(bins[1]).toEqual({ from: 0.25, to: 0.5, count: 1, confidence: 0.5, accuracy: 1 });
    expect(bins[2]).toEqual({ from: 0.5, to: 0.75, count: 2, confidence: 0.675, accuracy: 0.5 });
    expect(bins[0]).toEqual({ from: 0, to: 0.25, count: 0, confidence: null, accuracy: null });
  });

  it.each([3, 7, 10, 15, 49])("puts every limit of %i bins into the bin that it ends", (count) => {
    for (let b = Math.ceil(count / 2); b <= count; b++) {
      const { bins } = calibration(["a"], [[b / count, 1 - b / count]], ["a", "b"], count);
      expect(bins.findIndex((bin) => bin.count > 0)).toBe(b - 1);
    }
  });

  it("weighs the gaps by the number of answers", () => {
    const P = [...Array(3).fill([0.9, 0.1]), [0.3, 0.7]];
    const { error, bins } = calibration(["a", "a", "b", "b"], P, ["a", "b"], 10);
    expect(error).toBeCloseTo((3 * (0.9 - 2 / 3) + 0.3) / 4, 15);
    expect(bins).toHaveLength(10);
    expect(calibration(["a"], [[1, 0]], ["a", "b"]).bins).toHaveLength(15);
  });

  it("answers with the largest of many", () => {
    const P = [
      [0.125, 0.25, 0.625],
      [0.75, 0.125, 0.125],
      [0.25, 0.5, 0.25],
    ];
    const { bins } = calibration(["cat", "ape", "cat"], P, CLASSES, 8);
    expect(bins.map(({ count }) => count)).toEqual([0, 0, 0, 1, 1, 1, 0, 0]);
    expect(bins.map(({ accuracy }) => accuracy)).toEqual([null, null, null, 0, 1, 1, null, null]);
  });

  it("puts a sum that is rounded above 1 into the last bin", () => {
    expect(calibration(["a"], [[1.000001, 0]], ["a", "b"], 5).bins[4].count).toBe(1);
  });

  it("takes the first class among equals, and an unknown class for a mistake", () => {
    expect(calibration(["a"], [[0.5, 0.5]], ["a", "b"], 1).bins[0].accuracy).toBe(1);
    expect(calibration(["b"], [[0.5, 0.5]], ["a", "b"], 1).bins[0].accuracy).toBe(0);
    expect(calibration(["eel"], [[1, 0]], ["a", "b"]).error).toBe(1);
  });

  it("holds every answer once, and never more error than confidence and accuracy can differ", () => {
    fc.assert(
      fc.property(judged, fc.integer({ min: 1, max: 30 }), ({ truth, P }, count) => {
        const { error, bins } = calibration(truth, P, CLASSES, count);
        expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(truth.length);
        for (const { from, to, confidence } of bins) {
          if (confidence === null) continue;
          expect(confidence).toBeGreaterThan(from - 1e-12);
          expect(confidence).toBeLessThanOrEqual(to + 1e-12);
        }
        const gaps = bins.map((bin) => bin.count * Math.abs((bin.accuracy ?? 0) - (bin.confidence ?? 0)));
        expect(error).toBeCloseTo(gaps.reduce((a, b) => a + b) / truth.length, 12);
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d bins", (bins) => {
    expect(() => calibration(["a"], [[1, 0]], ["a", "b"], bins)).toThrow(
      expect.objectContaining({ option: "bins", message: expect.stringMatching(/^bins must be a whole number of 1/) }),
    );
  });
});

describe("probabilities as they come", () => {
  const rows = [
    [0.25, 0.75],
    [1, 0],
  ];
  it("may be dense, sparse or nested, of 64 or 32 bits", () => {
    const wanted = logLoss([0, 0], rows, [0, 1]);
    expect(logLoss([0, 0], Dense.from(rows, "f32"), [0, 1])).toBe(wanted);
    const sparse = Sparse.from(
      [
        [
          [0, 0.25],
          [1, 0.75],
        ],
        [[0, 1]],
      ],
      2,
    );
    expect(logLoss([0, 0], sparse, [0, 1])).toBe(wanted);
  });

  it("keep all digits of nested numbers", () => {
    expect(logLoss([0], [[0.1, 0.9]], [0, 1])).toBe(-Math.log(0.1));
  });

  it("tell 1 from the text 1", () => {
    expect(logLoss(["1"], [[0.5, 0.5]], [1, "1"])).toBeCloseTo(Math.log(2), 15);
    expect(brierScore([1], [[0, 1]], ["0", "1"])).toBe(1);
  });

  it.each([
    [["a", "a"], [[1, 0]], ["a", "b"], "there are 1 samples but 2 labels: give one for each sample"],
    [["a"], [[1]], ["a", "b"], "there are 2 classes but 1 probabilities for each sample"],
    [["a"], [[1, 0]], ["a", "a"], "classes must be different labels"],
    [["a"], [[]], [], "classes must be different labels"],
    [[], [], ["a"], "there are 1 classes but 0 probabilities"],
    [[], Dense.zeros(0, 1), ["a"], "there are no probabilities to measure"],
    [["a"], [[-0.5, 1.5]], ["a", "b"], "sample 0 has the probability -0.5: probabilities are numbers of 0 … 1"],
    [
      ["a", "a"],
      [
        [1, 0],
        [Number.NaN, 1],
      ],
      ["a", "b"],
      "sample 1 has the probability NaN",
    ],
    [["a"], [[0.5, 0.6]], ["a", "b"], "the probabilities of sample 0 add up to 1.1: they must add up to 1"],
    [["a"], [[0.5, 0.4999]], ["a", "b"], "Divide them by their sum"],
    [[Number.NaN], [[1, 0]], ["a", "b"], "sample 0 has the label NaN"],
  ])("are refused: %j, %j, %j", (truth, P, classes, message) => {
    for (const measure of [logLoss, brierScore, rocAuc, calibration])
      expect(() => measure(truth, P, classes)).toThrow(message);
  });

  it.each([
    [["a"], [[1]], ["a", "b"], { code: "length" }],
    [["a"], [[1]], ["a", "a"], { code: "option", option: "classes" }],
    [[], Dense.zeros(0, 1), ["a"], { code: "empty" }],
    [
      ["a", "a"],
      [
        [1, 0],
        [2, -1],
      ],
      ["a", "b"],
      { code: "probability", place: { sample: 1, feature: 1, value: -1 } },
    ],
    [["a"], [[0.5, 0.25]], ["a", "b"], { code: "probability", place: { sample: 0, value: 0.75 } }],
  ])("name the place: %j, %j", (truth, P, classes, wanted) => {
    expect(() => logLoss(truth, P, classes)).toThrow(expect.objectContaining(wanted));
  });

  it("may be rounded to 32 bits", () => {
    expect(() => logLoss(["a"], [[0.5, 0.499999]], ["a", "b"])).not.toThrow();
  });
});

describe("rocCurve", () => {
  it("has the area of rocAuc under it, and rises from (0, 0) to (1, 1)", () => {
    fc.assert(
      fc.property(judged, ({ truth, P }) => {
        for (const { label, auc } of rocAuc(truth, P, CLASSES).classes) {
          const curve = rocCurve(truth, P, CLASSES, label);
          if (auc === null) {
            expect(curve).toBe(null);
            continue;
          }
          let area = 0;
          curve!.forEach(({ threshold, falsePositives, truePositives }, p) => {
            const before = curve![p - 1] ?? {
              threshold: Number.POSITIVE_INFINITY,
              falsePositives: 0,
              truePositives: 0,
            };
            expect(p === 0 || threshold < before.threshold).toBe(true);
            area += ((falsePositives - before.falsePositives) * (truePositives + before.truePositives)) / 2;
          });
          expect(area).toBeCloseTo(auc, 12);
          expect(curve!.at(-1)).toMatchObject({ falsePositives: 1, truePositives: 1 });
        }
      }),
    );
  });

  it("is asked for a class that there is", () => {
    expect(() => rocCurve(["ape"], [[1, 0, 0]], CLASSES, "eel")).toThrow('"eel" is none of the 3 classes');
  });
});
