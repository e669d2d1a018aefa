import type { Sparse } from "../matrix/sparse.js";
import { type CountOptions, chooseWords, listLeft } from "../text/word-counts.js";

/**
 * The words that options leave of those that are counted already, in their order: all, where options say nothing.
 *
 * @param X n × m counts
 * @param findRows the documents that limits look at: of equal ones one
 */
export function limitWords(
  X: Sparse,
  vocabulary: readonly string[],
  findRows: () => Uint32Array,
  options: CountOptions,
): readonly string[] {
  const { minDocuments, maxShare, maxWords, stem } = options;
  // Beside a stemmer stop words say what is not stemmed.
  const stopWords = stem ? undefined : options.stopWords;
  if ([minDocuments, maxShare, maxWords, stopWords].every((option) => option === undefined)) return vocabulary;
  const rows = findRows();
  const holders = new Uint32Array(X.features);
  for (const i of rows) {
    X.each(i, (f, value) => {
      if (value > 0) holders[f]++;
    });
  }
  const kept = chooseWords(
    { words: vocabulary, holders, samples: rows.length },
    {
      minDocuments: minDocuments ?? 1,
      maxShare: maxShare ?? 1,
      maxWords: maxWords ?? vocabulary.length,
      phrases: new Set(vocabulary),
      left: listLeft(stopWords ?? false),
    },
  );
  return vocabulary.filter((word) => kept.has(word));
}
