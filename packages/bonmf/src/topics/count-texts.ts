import { acquireThreads, releaseThread, type Thread, threadCount } from "../engine/worker/threads.js";
import { yieldIfDue } from "../engine/yield.js";
import { type PackedTexts, packTexts } from "../io/packed-texts.js";
import type { WatchOptions } from "../model/options.js";
import type { CountTask } from "../text/count-part.js";
import type { CountsPart } from "../text/counts.js";
import { countCharacters, lengthsOf, type TextList } from "../text/texts.js";
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
export async function countWordsInThreads(texts: TextList, options: ThreadedCountOptions = {}): Promise<WordCounts> {
  const { signal, threads, ...rules } = options;
  const characters = countCharacters(texts);
  const counter = openCounter(rules, characters);
  // Functions cannot cross to another thread: stems are found where all is counted, but not those of a vocabulary.
  const { stem, ...sent } = rules;
  const wanted = stem && rules.vocabulary ? 1 : threadCount(threads, estimateWork(texts), texts.length);
  const workers = wanted > 1 ? await acquireThreads(wanted - 1) : [];
  try {
    const ends = cutEvenly(texts, characters, workers.length + 1);
    const parts = workers.map((worker, w) => askPart(worker, takeBetween(texts, ends[w], ends[w + 1]), sent));
    for (let i = 0, paused = 0; i < ends[0]; ) {
      i = counter.takeSome(texts, i, ends[0]);
      if (i < paused + TOGETHER) continue;
      paused = i;
      const pause = yieldIfDue();
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
function estimateWork(texts: TextList): number {
  const step = Math.max(1, Math.floor(texts.length / PROBES));
  const seen = Array.from({ length: Math.ceil(texts.length / step) }, (_, i) => texts.at(i * step)!);
  return EFFORT * step * countCharacters(seen.filter(isUnspaced));
}

/** Texts between two looks at the clock, or more that are counted together. */
const TOGETHER = 64;

function takeBetween(texts: TextList, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => texts.at(from + i)!);
}

function askPart(worker: Thread, texts: readonly string[], options: CountOptions): Promise<CountsPart> {
  const part = worker.ask("perform", [
    { texts: packTexts(texts), options } satisfies CountTask<PackedTexts>,
  ]) as Promise<CountsPart>;
  part.catch(() => {}); // Awaited later, if nothing else fails before.
  return part;
}

/** Where parts of about as many characters end. */
function cutEvenly(texts: TextList, characters: number, parts: number): number[] {
  const ends: number[] = [];
  let seen = 0;
  for (const [i, length] of parts > 1 ? lengthsOf(texts).entries() : []) {
    if (ends.length < parts - 1 && seen >= ((ends.length + 1) * characters) / parts) ends.push(i);
    seen += length;
  }
  while (ends.length < parts) ends.push(texts.length);
  return ends;
}
