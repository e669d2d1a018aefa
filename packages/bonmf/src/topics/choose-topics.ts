import type { KChoice } from "../choose/choice.js";
import { type ChooseOptions, chooseK } from "../choose/choose-k.js";
import { DOCUMENTS, explainChoice } from "../choose/explain.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import type { DocumentInput } from "./corpus.js";
import { type Job, openJob, shared } from "./job.js";
import { TOPIC_OPTIONS, type TopicOptions } from "./topic-options.js";

/** What only a fit needs. */
type OfFits = "k" | "seedWords" | "previous" | "tags" | "onStep" | "onStart";

/** Options of {@link chooseTopics}: those of {@link topics} that say how documents are compared, and of {@link chooseK}. */
export interface ChooseTopicsOptions extends Omit<TopicOptions, OfFits>, Pick<ChooseOptions, "ks" | "fits" | "from"> {}

const { k: _, seedWords: __, previous: ___, tags: ____, onStep: _____, onStart: ______, ...COMPARED } = TOPIC_OPTIONS;
const CHOOSE_TOPICS_OPTIONS: KnownOptions<ChooseTopicsOptions> = { ...COMPARED, ks: true, fits: true, from: true };

/**
 * How many topics documents have: what {@link topics} takes where `k` is `"auto"`. Neither the order of the documents nor copies of
 * all of them change it. {@link chooseK} decides, on the different documents; `trials` has what it measured on fits of them, unless
 * `fits` is false.
 *
 * @param input as for {@link topics}
 * @returns the recommendation; where `signal` aborts, what is known so far, with `complete: false`
 * @throws DataError for documents that cannot be used, OptionError for a bad option, AbortError when `signal` aborts while words are
 * counted
 *
 * @example
 * ```ts
 * import { chooseTopics } from "bonmf";
 * const subjects = [["cat", "mouse", "dog", "horse", "cow", "pig"], ["bond", "stock", "bank", "share", "fund", "loan"]];
 * const documents = Array.from({ length: 64 }, (_, i) => subjects[i % 2].filter((_, w) => (i >> w) % 4 !== 1).join(" "));
 * const { k, reason } = await chooseTopics(documents, { fits: false });
 * k; // → 2
 * /topics/.test(reason); // → true
 * ```
 */
export async function chooseTopics(input: DocumentInput, options: ChooseTopicsOptions = {}): Promise<KChoice> {
  checkKnown(options, CHOOSE_TOPICS_OPTIONS, "chooseTopics");
  return chooseNumber(await openJob(input, options));
}

/** As {@link chooseTopics}. */
export async function chooseNumber(job: Job<ChooseTopicsOptions>): Promise<KChoice> {
  const { X, rest } = shared(job);
  const { ks, fits, from, restarts, onProgress } = job.options;
  const choice = await chooseK(X, { ...rest, ks, fits, from, restarts, onProgress });
  return { ...choice, reason: explainChoice(choice, DOCUMENTS) };
}
