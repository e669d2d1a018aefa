import { availableParallelism } from "node:os";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as Threads from "../../src/engine/worker/threads.js";
import { OptionError } from "../../src/errors.js";
import type { PackedTexts } from "../../src/io/packed-texts.js";
import { Random } from "../../src/random.js";
import { countWords } from "../../src/text/word-counts.js";
import { countWordsInThreads } from "../../src/topics/count-texts.js";
import { topics } from "../../src/topics/find-topics.js";
import { SCRIPTS } from "./corpora.js";

/** The number of texts that each worker was given. */
const asked: number[] = [];

vi.mock("../../src/engine/worker/threads.js", async (load) => {
  const threads = await load<typeof Threads>();
  return {
    ...threads,
    async acquireThreads(count: number) {
      const workers = await threads.acquireThreads(count);
      for (const worker of workers) {
        const { ask } = threads.Thread.prototype;
        worker.ask = (call, args, ...rest) => {
          asked.push((args[0] as { texts: PackedTexts }).texts.lengths.length);
          return ask.call(worker, call, args, ...rest) as ReturnType<typeof worker.ask>;
        };
      }
      return workers;
    },
  };
});

/** Texts in several scripts, with phrases, of different lengths, some empty. */
function makeTexts(count: number): string[] {
  const random = new Random(3);
  const sentences = [...Object.values(SCRIPTS).flat(2), "New York is in New York state", "café in New York", ""];
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random.below(3) }, () => sentences[random.below(sentences.length)]).join(". "),
  );
}

describe("words counted in threads", () => {
  const texts = makeTexts(300);
  beforeEach(() => {
    asked.length = 0;
  });

  it.each([2, 3, 5])("are those of one thread, by %i", async (threads) => {
    for (const options of [{}, { longest: 3, learn: true }, { stopWords: false, maxShare: 1 }]) {
      asked.length = 0;
      expect(await countWordsInThreads(texts, { ...options, threads })).toEqual(countWords(texts, options));
      expect(asked).toHaveLength(threads - 1);
      for (const some of asked) expect(some).toBeGreaterThan(texts.length / (2 * threads));
    }
  });

  it("are those of a vocabulary, phrases too", async () => {
    const vocabulary = ["york", "new york", "state", "nowhere"];
    expect(await countWordsInThreads(texts, { vocabulary, threads: 3 })).toEqual(countWords(texts, { vocabulary }));
    expect(asked).toHaveLength(2);
  });

  it.each([{}, { longest: 3, learn: true }])("are stemmed, with %j", async (options) => {
    const stem = (word: string) => word.slice(0, 4);
    const stemmed = await countWordsInThreads(texts, { ...options, stem, threads: 3 });
    expect(stemmed).toEqual(countWords(texts, { ...options, stem }));
    expect(asked).toHaveLength(2);
  });

  it("are stemmed into a vocabulary, by one thread", async () => {
    const options = { stem: (word: string) => word.slice(0, 4), vocabulary: ["state", "york"] };
    expect(await countWordsInThreads(texts, { ...options, threads: 3 })).toEqual(countWords(texts, options));
    expect(asked).toEqual([]);
  });

  it("are left to one thread where words end at spaces, and shared where they do not", async () => {
    const repeat = (text: string) => Array.from({ length: 4000 }, (_, i) => `${text.repeat(20)} ${i}`);
    await countWordsInThreads(repeat("Cats chase mice, and the mice fear all cats. "), { maxShare: 1 });
    expect(asked).toEqual([]);
    await countWordsInThreads(repeat("北京大学的学生喜欢学习语言和历史"), { maxShare: 1 });
    expect(asked.length > 0).toBe(availableParallelism() > 1);
  });

  it("need no more threads than texts", async () => {
    const few = ["cats chase mice", "mice fear cats"];
    expect(await countWordsInThreads(few, { maxShare: 1, threads: 8 })).toEqual(countWords(few, { maxShare: 1 }));
    expect(asked).toEqual([1]);
  });

  it("end with the signal, and with a bad option", async () => {
    const reason = new Error("enough");
    await expect(countWordsInThreads(texts, { threads: 2, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(countWordsInThreads(texts, { threads: 2, maxShare: 2 })).rejects.toThrow(OptionError);
  });

  it("give the same topics, to the bit", async () => {
    const [one, three] = await Promise.all([1, 3].map((threads) => topics(texts, { k: 4, threads })));
    expect(three.words).toEqual(one.words);
    expect(three.labels).toEqual(one.labels);
    expect(three.model.W.data).toEqual(one.model.W.data);
    expect(three.model.history).toEqual(one.model.history);
  });
});
