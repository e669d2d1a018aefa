// How good topics are, from the words alone: over the documents of the corpus itself.

/**
 * Mean NPMI of the pairs of each topic's words (Bouma 2009; Lau, Newman and Baldwin 2014): 1 where they are always in the same
 * documents, 0 where chance brings them together, −1 where nothing does.
 *
 * @param X n × m counts
 */
export function npmi(topics, X, words) {
  const feature = new Map(words.map((word, f) => [word, f]));
  const wanted = new Set(topics.flat().map((word) => feature.get(word)));
  const holders = new Map([...wanted].map((f) => [f, new Set()]));
  for (let i = 0; i < X.samples; i++) {
    for (let p = X.offsets[i]; p < X.offsets[i + 1]; p++) holders.get(X.indices[p])?.add(i);
  }
  const score = (a, b) => {
    const [left, right] = [a, b].map((word) => holders.get(feature.get(word)));
    let both = 0;
    for (const i of left) if (right.has(i)) both++;
    if (both === 0) return -1;
    if (both === X.samples) return 1;
    const n = X.samples;
    return Math.log((both * n) / (left.size * right.size)) / -Math.log(both / n);
  };
  const means = topics.map((topic) => mean(topic.flatMap((a, i) => topic.slice(i + 1).map((b) => score(a, b)))));
  return mean(means);
}

/** The share of the topics' words that no other topic has (Dieng, Ruiz and Blei 2020: different words over all words). */
export function diversity(topics) {
  const all = topics.flat();
  return new Set(all).size / all.length;
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
