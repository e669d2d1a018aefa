import { acquireThreads, releaseThread, type Thread, threadCount } from "../engine/worker/threads.js";
import { yieldIfDue } from "../engine/yield.js";
import { type PackedTexts, packTexts } from "../io/packed-texts.js";
import type { WatchOptions } from "../model/options.js";
import { type CountTask, countCharacters } from "../text/count-part.js";
import type { CountsPart } from "../text/counts.js";
import { type CountOptions, openCounter, type WordCounts } from "../text/word-counts.js";
import { isUnspaced } from "../text/words.js";

/** Options of {@link countWordsInThreads}. */
export interface ThreadedCountOptions extends CountOptions, Pick<WatchOptions, "signal" | "threads"> {}

/** What dividing a character of an unspaced script into words takes, in multiply-adds. */
const EFFORT = 350;
/** Texts that are looked at, of all. */
const PROBES = 200;

/**
 * The same as {@link countWords}, by several threads where many texts are in scripts without spaces, or `threads` says so, unless `stem` and `vocabulary` are both given.
 *
 * @param texts n texts
 * @throws what `countWords` throws, and the reason of `signal`
 *
 * @example
 * ```ts
 * import { countWordsInThreads } from "bonmf";
 * const { words } = await countWordsInThreads(["Cats chase mice.", "The mice fear cats!"], { maxShare: 1 });
 * words; // → ["cats", "chase", "fear", "mice"]
 * ```
 */
export async function countWordsInThreads(
  texts: readonly string[],
  options: ThreadedCountOptions = {},
): Promise<WordCounts> {
  const { signal, threads, ...rules } = options;
  const characters = countCharacters(texts);
  const counter = openCounter(rules, characters);
  // Functions cannot cross to another thread: stems are found where all is counted, but not those of a vocabulary.
  const { stem, ...sent } = rules;
  const wanted = stem && rules.vocabulary ? 1 : threadCount(threads, estimateWork(texts, characters), texts.length);
  const workers = wanted > 1 ? await acquireThreads(wanted - 1) : [];
  try {
    const ends = cutEvenly(texts, characters, workers.length + 1);
    const parts = workers.map((worker, w) => askPart(worker, texts.slice(ends[w], ends[w + 1]), sent));
    for (let i = 0; i < ends[0]; i++) {
      counter.take(texts[i]);
      const pause = i % TOGETHER === 0 ? yieldIfDue() : null;
      if (pause !== null) await pause;
      signal?.throwIfAborted();
    }
    for (const part of await Promise.all(parts)) counter.counts.append(part);
    signal?.throwIfAborted();
  } finally {
    // A worker that still counts is ended.
    workers.forEach(releaseThread);
  }
  return counter.finish();
}

/** Where words end at spaces, sending texts to other threads costs as much as counting their words. */
function estimateWork(texts: readonly string[], characters: number): number {
  const step = Math.max(1, Math.floor(texts.length / PROBES));
  const seen = texts.filter((_, i) => i % step === 0);
  const share = countCharacters(seen.filter(isUnspaced)) / Math.max(1, countCharacters(seen));
  return EFFORT * share * characters;
}

/** Texts between two looks at the clock. */
const TOGETHER = 64;

function askPart(worker: Thread, texts: readonly string[], options: CountOptions): Promise<CountsPart> {
  const part = worker.ask("perform", [
    { texts: packTexts(texts), options } satisfies CountTask<PackedTexts>,
  ]) as Promise<CountsPart>;
  part.catch(() => {}); // Awaited later, if nothing else fails before.
  return part;
}

/** Where parts of about as many characters end. */
function cutEvenly(texts: readonly string[], characters: number, parts: number): number[] {
  const ends: number[] = [];
  let seen = 0;
  for (const [i, text] of texts.entries()) {
    if (ends.length < parts - 1 && seen >= ((ends.length + 1) * characters) / parts) ends.push(i);
    seen += text.length;
  }
  while (ends.length < parts) ends.push(texts.length);
  return ends;
}
