import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { cv, diversity, npmi } from "../../src/measure/coherence.js";
import { countWords } from "../../src/text/word-counts.js";

interface Fixture {
  readonly texts: readonly (readonly string[])[];
  readonly topics: readonly (readonly string[])[];
  readonly results: readonly { readonly kind: string; readonly window: number; readonly values: readonly number[] }[];
}
const { texts, topics, results }: Fixture = JSON.parse(
  readFileSync(new URL("./fixtures/coherence.json", import.meta.url), "utf8"),
);

describe("coherence", () => {
  it.each(results)("agrees with gensim's $kind in windows of $window words", ({ kind, window, values }) => {
    const measured = (kind === "c_v" ? cv : npmi)(topics, texts, window);
    for (const [j, value] of measured.entries()) expect(value).toBeCloseTo(values[j], 9);
  });

  it.each([1, 3, 10])("in windows of %i words is that of all windows as documents", (window) => {
    const windows = texts.flatMap((words) =>
      Array.from({ length: Math.max(1, words.length - window + 1) }, (_, at) => words.slice(at, at + window)),
    );
    expect(npmi(topics, texts, window)).toEqual(npmi(topics, windows));
    expect(cv(topics, texts, window)).toEqual(cv(topics, windows));
  });

  it("by NPMI is worked by hand", () => {
    const documents = [["a", "b"], ["a", "b"], ["c"], ["c", "a"]];
    // p(a) = 3/4, p(b) = p(c) = p(a, b) = 1/2, p(a, c) = 1/4; b and c never meet.
    const [ab, ac, bc] = npmi(
      [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
      ],
      documents,
    );
    expect(ab).toBeCloseTo(Math.log(0.5 / 0.375) / -Math.log(0.5), 9);
    expect(ac).toBeCloseTo(Math.log(0.25 / 0.375) / -Math.log(0.25), 9);
    expect(bc).toBeCloseTo(Math.log(1e-12 / 0.25) / -Math.log(1e-12), 9);
    expect(npmi([["a", "b", "c"]], documents)[0]).toBeCloseTo((ab + ac + bc) / 3, 12);
    // Where words always come together it is 1, for C_V too.
    const always = [["x", "y"], ["x", "y"], ["z"]];
    expect(npmi([["x", "y"]], always)[0]).toBeCloseTo(1, 9);
    expect(cv([["x", "y"]], always)[0]).toBeCloseTo(1, 9);
  });

  it("of counts is that of whole documents", () => {
    const plain = texts.map((words) => words.join(" "));
    const { X, words } = countWords(plain, { maxShare: 1, stopWords: false });
    expect(npmi(topics, { X, words })).toEqual(npmi(topics, texts));
    expect(cv(topics, { X, words })).toEqual(cv(topics, texts, 1000));
  });

  it("does not depend on copies of all documents", () => {
    expect(npmi(topics, [...texts, ...texts, ...texts])).toEqual(npmi(topics, texts));
  });

  it("of words that are not there, or alone, says nothing", () => {
    expect(npmi([["w0", "nowhere"]], texts)).toEqual([0]);
    expect(npmi([["w0"]], texts)[0]).toBeNaN();
    expect(cv([["w0"]], texts)[0]).toBeNaN();
    expect(() => npmi([["w0", "w1"]], [])).toThrow(DataError);
    expect(() => npmi([["w0", "w1"]], texts, 0)).toThrow(OptionError);
  });

  it("goes with diversity", () => {
    expect(
      diversity([
        ["a", "b"],
        ["c", "d"],
      ]),
    ).toBe(1);
    expect(
      diversity([
        ["a", "b"],
        ["a", "b"],
      ]),
    ).toBe(0.5);
    expect(diversity([])).toBeNaN();
  });

  it("is that of chance for words that every document has, as for the only document", () => {
    const one = [["cat", "dog", "mouse"]];
    expect(npmi([["cat", "dog"]], one)).toEqual([0]);
    expect(cv([["cat", "dog"]], one)).toEqual([0]);
    const [all, some] = npmi(
      [
        ["cat", "dog"],
        ["cat", "tax"],
      ],
      [
        ["cat", "dog", "tax"],
        ["cat", "dog"],
      ],
    );
    expect(all).toBe(0);
    expect(some).toBeCloseTo(0, 9);
  });
});
