/** The middle value; of an even number, the mean of the middle two. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** How many times faster `a` was than `b`, round by round, with the extremes; null where they share no round. */
export function ratio(a, b) {
  const rounds = Math.min(a?.seconds.length ?? 0, b?.seconds.length ?? 0);
  if (rounds === 0) return null;
  return spread(Array.from({ length: rounds }, (_, r) => b.seconds[r] / a.seconds[r]));
}

/** The same against the best of several in each round. */
export function ratioToBest(a, others) {
  const ran = others.filter((other) => other?.seconds.length > 0);
  if (ran.length === 0) return null;
  const rounds = Math.max(...ran.map(({ seconds }) => seconds.length));
  const best = Array.from({ length: rounds }, (_, r) => Math.min(...ran.map(({ seconds }) => seconds[r] ?? Infinity)));
  return ratio(a, { seconds: best });
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The exponent e of cost ~ size^e between the ends of a growth row. */
export function exponent({ contestants }) {
  const ran = contestants.filter(({ seconds }) => seconds.length > 0);
  if (ran.length < 2) return null;
  const [from, to] = [ran[0], ran.at(-1)];
  return Math.log(median(to.seconds) / median(from.seconds)) / Math.log(Number(to.name) / Number(from.name));
}

function spread(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}
