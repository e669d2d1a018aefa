/** Colours of a scale; one more is for values that are missing. */
export const STEPS = 64;

export interface Scale {
  readonly least: number;
  readonly most: number;
  /** The colour of each sample: 0 … STEPS − 1, STEPS where its value is missing. */
  readonly of: Uint8Array;
}

/** Share of the values at either end that share the last colour: a few are far away. */
const FAR = 0.01;
/** Ends are found among so many values. */
const MOST_SORTED = 20_000;

/** Values as colours, from the first percentile to the last. */
export function makeScale(values: Float64Array): Scale {
  const [least, most] = findEnds(values);
  const of = new Uint8Array(values.length);
  const unit = most > least ? (STEPS - 1) / (most - least) : 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    of[i] = Number.isNaN(value) ? STEPS : Math.round((Math.min(most, Math.max(least, value)) - least) * unit);
  }
  return { least, most, of };
}

function findEnds(values: Float64Array): [number, number] {
  const every = Math.max(1, Math.floor(values.length / MOST_SORTED));
  const some = values.filter((value, i) => i % every === 0 && !Number.isNaN(value)).sort();
  if (some.length === 0) return [0, 0];
  const last = some.length - 1;
  const [low, high] = [some[Math.floor(FAR * last)], some[Math.ceil((1 - FAR) * last)]];
  // Mostly zeros: a word that few texts have.
  return low === high ? [some[0], some[last]] : [low, high];
}
