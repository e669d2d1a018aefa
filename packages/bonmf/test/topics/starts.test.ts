import { expect, it } from "vitest";
import { Sparse } from "../../src/matrix/sparse.js";
import { Random } from "../../src/random.js";
import { topics } from "../../src/topics/find-topics.js";

/** Documents of three words, two of them of the document's subject, the third of any. */
function makeCounts(documents: number, subjects: number, each: number): Sparse {
  const random = new Random(5);
  const rows = Array.from({ length: documents }, (_, i): [number, number][] => {
    const own = (i % subjects) * each;
    const words = new Set([own + random.below(each), own + random.below(each), random.below(subjects * each)]);
    return [...words].sort((a, b) => a - b).map((word) => [word, 1]);
  });
  return Sparse.from(rows, subjects * each, "f32");
}

it("what is found in some of many documents goes on with more of them, on any number of threads to the same bits", async () => {
  const counts = makeCounts(130_000, 3, 60);
  const vocabulary = Array.from({ length: 180 }, (_, f) => `w${String(f).padStart(3, "0")}`);
  const [one, two] = [1, 2].map((threads) => topics({ counts, vocabulary }, { k: 3, threads }));
  const { model, labels } = await one;
  expect((await two).model.W.data).toEqual(model.W.data);
  expect((await two).labels).toEqual(labels);
  expect(model.stopped).toBe("tolerance");
  expect(Int32Array.from(model.predict(counts))).toEqual(labels);
  // The third word may be of any subject: a few documents are nearer to another one.
  const same = Array.from(labels).filter((label, i) => label === labels[i % 3]).length;
  expect(same / labels.length).toBeGreaterThan(0.95);
});
