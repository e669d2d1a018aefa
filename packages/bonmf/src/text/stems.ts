import { isUnspaced } from "./words.js";

/** What the forms of a word have in common: "goal" for "goals". */
export type Stem = (word: string) => string;

/** No word has it, so that a stem is never taken for a word. */
const MARK = "*";

/** Words are counted by their stems, and called by the form that occurs most. */
export class Stems {
  readonly #stem: Stem;
  readonly #left: ReadonlySet<string>;
  readonly #keys = new Map<string, string>();

  /** @param left words that are not counted and not stemmed */
  constructor(stem: Stem, left: ReadonlySet<string>) {
    this.#stem = stem;
    this.#left = left;
  }

  /** What a word is counted as. */
  readonly key = (word: string): string => {
    let key = this.#keys.get(word);
    if (key === undefined) {
      key = !this.#left.has(word) && !isUnspaced(word) ? this.#stem(word) + MARK : word;
      this.#keys.set(word, key);
    }
    return key;
  };

  /**
   * The names of what was counted: of each stem its commonest form, of equally common ones the first by code unit.
   *
   * @param totals how often each form occurs
   */
  name({ ids, totals }: Forms): (counted: string) => string {
    const names = new Map<string, string>();
    for (const [form, id] of ids) {
      if (form.includes(" ")) continue;
      const key = this.key(form);
      const best = names.get(key);
      const most = best === undefined ? 0 : totals[ids.get(best)!];
      if (totals[id] > most || (totals[id] === most && form < best!)) names.set(key, form);
    }
    return (counted) => eachWord(counted, (word) => names.get(word) ?? word);
  }
}

/** How often each form of words occurs, by number. */
interface Forms {
  readonly ids: ReadonlyMap<string, number>;
  readonly totals: Uint32Array;
}

/**
 * What words are counted as where the vocabulary is known: words of it as themselves, others as its first word with their stem.
 *
 * @param left words that are not stemmed
 */
export function stemInto(vocabulary: readonly string[], stem: Stem, left: ReadonlySet<string>): Stem {
  const known = new Map<string, string>();
  const names = new Map<string, string>();
  for (const word of vocabulary.flatMap((entry) => entry.split(" "))) {
    if (known.has(word)) continue;
    known.set(word, word);
    if (left.has(word) || isUnspaced(word)) continue;
    const key = stem(word);
    if (!names.has(key)) names.set(key, word);
  }
  return (word) => {
    let name = known.get(word);
    if (name === undefined) {
      name = !left.has(word) && !isUnspaced(word) ? (names.get(stem(word)) ?? word) : word;
      known.set(word, name);
    }
    return name;
  };
}

/** Words of a phrase, one by one. */
export function eachWord(phrase: string, change: Stem): string {
  return phrase.includes(" ") ? phrase.split(" ").map(change).join(" ") : change(phrase);
}
