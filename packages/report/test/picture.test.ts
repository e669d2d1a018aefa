import { Dense } from "bonmf";
import { describe, expect, it } from "vitest";
import { fitSize, surveyPixels, toGreys } from "../src/picture.js";

describe("pictures", () => {
  it("keep their size where there is room, and lose whole blocks where there is not", () => {
    expect(fitSize({ width: 28, height: 28 }, 10, 10 * 784)).toEqual({ width: 28, height: 28 });
    expect(fitSize({ width: 28, height: 28 }, 10, 10 * 784 - 1)).toEqual({ width: 14, height: 14 });
    expect(fitSize({ width: 7, height: 9 }, 1, 4)).toEqual({ width: 2, height: 2 });
    expect(fitSize({ width: 30, height: 3 }, 1_000_000, 1)).toEqual({ width: 1, height: 1 });
  });

  it("are means of blocks, also where these do not divide the sides", () => {
    const size = { width: 3, height: 2 };
    expect([...toGreys([0, 2, 4, 2, 4, 4], size, { width: 2, height: 1 }, 4)]).toEqual([128, 255]);
    expect([...toGreys([-1, 9, 1, 0, 0, 0], size, size, 2)]).toEqual([0, 255, 128, 0, 0, 0]);
    expect([...toGreys([-2, 0, 2, 1, -1, 9], size, size, 2, -2)]).toEqual([0, 128, 255, 191, 64, 255]);
    const tall = { width: 7, height: 9 };
    expect(toGreys(new Array(63).fill(1), tall, fitSize(tall, 1, 4), 1)).toEqual(new Uint8Array(4).fill(255));
  });

  it("are ink where a third of them is paper", () => {
    expect(surveyPixels(Dense.from([[0, 5, 7]]), [0])).toEqual({ top: 7, bottom: 0, ink: true });
    expect(surveyPixels(Dense.from([[1, 5, 7]]), [0])).toEqual({ top: 7, bottom: 0, ink: false });
  });
});
