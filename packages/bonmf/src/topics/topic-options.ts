import type { ChooseProgress } from "../choose/choose-k.js";
import type { Loss, MethodName } from "../factor/settings.js";
import type { KnownOptions } from "../known-options.js";
import { type Tags, WATCH_OPTIONS, type WatchOptions } from "../model/options.js";
import { COUNT_OPTIONS, type CountOptions } from "../text/word-counts.js";
import type { Topics } from "./topics.js";

/** Options of {@link topics}: those of {@link countWords} say which words count. */
export interface TopicOptions extends CountOptions, WatchOptions {
  /** How many topics, or "auto": as many as `chooseK` recommends. Default: as many as `previous` has, else "auto". */
  k?: number | "auto" | undefined;
  /** The same documents, options and seed give the same topics. Default 0. */
  seed?: number | undefined;
  /**
   * The algorithm. Default `bonmf`, and `spherical` on vectors: a document has one topic. `nmf` and `hals` mix topics in a document.
   */
  method?: MethodName | undefined;
  /** For `nmf`: what is lowered, as {@link FitOptions} says. `kullback-leibler` is the divergence that topic models of counts use. */
  loss?: Loss | undefined;
  /**
   * Starts that are tried: on words, by some of the documents, 5 where nothing is said; else whole runs, as many as
   * `chooseRestarts` says.
   */
  restarts?: number | undefined;
  /**
   * How much of the likeness of two documents is that of their vectors, from 0 to 1; the rest is that of their words. Default 0.5;
   * 1: vectors alone.
   */
  vectorWeight?: number | undefined;
  /**
   * Words that some topics should be about, one list a topic; they are the first topics. Those that the documents lack are in
   * `unknownSeeds` of the result.
   */
  seedWords?: readonly (readonly string[])[] | undefined;
  /** Topics of an earlier fit: the fit begins with them, and those found again keep their ids and names. */
  previous?: Topics | undefined;
  /** Your own notes, kept in the model's file. */
  tags?: Tags | undefined;
  /** Called while k is chosen. */
  onProgress?: ((progress: ChooseProgress) => void) | undefined;
}

/** Names of the options of `topics`. */
export const TOPIC_OPTIONS: KnownOptions<TopicOptions> = {
  ...COUNT_OPTIONS,
  ...WATCH_OPTIONS,
  k: true,
  seed: true,
  method: true,
  loss: true,
  restarts: true,
  vectorWeight: true,
  seedWords: true,
  previous: true,
  tags: true,
  onProgress: true,
};

/** The options of these names alone. */
export function pick<T extends object>(options: T, names: object): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(names, name))) as Partial<T>;
}
