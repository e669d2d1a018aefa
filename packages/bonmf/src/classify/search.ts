import { yieldIfDue } from "../engine/yield.js";
import { ln } from "../random.js";
import { type Configuration, type Experiment, type Family, type FoldFits, tryFamily } from "./cross-validation.js";
import type { Votes } from "./decision.js";

/** A configuration and its result in cross-validation. */
export interface Candidate extends Configuration {
  /** The share of samples classified correctly when they were left out. */
  readonly accuracy: number;
  /** The standard deviation of that share over the folds; 0 after one fold. */
  readonly deviation: number;
  /** The mean log loss of its shares, each kept above 0.001. */
  readonly loss: number;
  /** How many folds it was tried on: fewer than the others where it was dropped early. */
  readonly folds: number;
}

/** A report of progress. */
export interface SearchStep {
  /** Trials that are done, of one family of candidates on one fold each. */
  readonly done: number;
  /** The most trials that there may be. Families dropped early make it fewer. */
  readonly total: number;
  readonly scale: Configuration["scale"];
  readonly scheme: Configuration["scheme"];
  /** The best accuracy so far. */
  readonly accuracy: number;
}

export interface Found {
  readonly chosen: Candidate;
  /** Best first. */
  readonly tried: Candidate[];
  /** n × c: the shares by the chosen candidate of the samples that were left out, in the order of `places`. */
  readonly shares: Float64Array;
  readonly places: Uint32Array;
}

/** What is known of one configuration. */
interface Tally {
  readonly configuration: Configuration;
  readonly order: number;
  readonly answers: (readonly Votes[])[];
}

/** Schemes by rising number of things to look at. */
const SIMPLICITY: readonly Configuration["scheme"][] = ["majority", "prototypes", "linear", "vote", "linear+codes"];

/**
 * Cross-validates families of candidates fold by fold, simple ones first; the others are not tried once hundreds of samples were all
 * classified correctly. After every fold those drop out that are clearly behind the best; after the first one also the worse half of
 * the settings within a family. Of the candidates that were tried on all folds and are within one
 * standard error of the best, those of the simplest scheme remain, and the one with the least log loss wins.
 */
export async function searchFamilies(
  experiment: Experiment,
  families: readonly Family[],
  isOver: () => boolean,
  onStep?: (step: SearchStep) => void,
): Promise<Found> {
  const { parts } = experiment;
  let order = 0;
  const all = families.map(
    (family): Trial => family.map((configuration) => ({ configuration, order: order++, answers: [] })),
  );
  let open = all;
  let done = 0;
  const total = families.length * parts.length;
  for (let f = 0; f < parts.length; f++) {
    const fits: FoldFits = new Map();
    const asked: Trial[] = [];
    for (const trial of open) {
      // Nothing can be better, and what comes later is not simpler.
      if (asked.some((earlier) => earlier.some((tally) => isFlawless(tally, experiment)))) break;
      // The first family is tried in any case.
      if (isOver() && done > 0) break;
      await yieldIfDue();
      experiment.signal?.throwIfAborted();
      const family = trial.map(({ configuration }) => configuration);
      const answers = await tryFamily(experiment, parts[f], family, fits);
      trial.forEach((tally, a) => {
        tally.answers.push(answers[a]);
      });
      asked.push(trial);
      done++;
      const accuracy = Math.max(...all.flat().map((tally) => scoreOf(tally, experiment)));
      const [{ scale, scheme }] = family;
      onStep?.({ done, total, scale, scheme, accuracy });
    }
    if (isOver()) break;
    open = keep(asked, experiment, f);
    // Further splits would compare what is left with nothing.
    if (open.length === 1 && (f + 1) % experiment.folds === 0 && countAsked(open[0][0]) >= SURE) break;
  }
  return settle(all.flat(), experiment);
}

/** What is left of a family. */
type Trial = readonly Tally[];

/** So many test samples make a rank reliable. */
const SURE = 400;

/** 0 for the simplest schemes. */
function levelOf({ configuration }: Tally): number {
  return SIMPLICITY.indexOf(configuration.scheme);
}

/** The families and settings that are worth another fold. */
function keep(open: readonly Trial[], experiment: Experiment, fold: number): Trial[] {
  const scored = open.map((trial) => [...trial].sort((a, b) => compareTallies(a, b, experiment)));
  scored.sort((a, b) => compareTallies(a[0], b[0], experiment));
  const best = scored[0][0];
  // A few samples say little: then only the clearly worse drop out.
  const sure = countAsked(best) >= SURE;
  const most = !sure ? scored.length : fold === 0 ? Math.max(4, Math.ceil(scored.length / 2)) : fold === 1 ? 3 : 2;
  const kept = scored.filter(([first]) => deficitOf(first, best, experiment) <= 2).slice(0, most);
  // A simpler scheme within one standard error may be chosen in the end, however many families rank before it.
  const close = scored.filter(([first]) => deficitOf(first, best, experiment) <= 1);
  const simpler = SIMPLICITY.slice(0, levelOf(best)).flatMap((scheme) => {
    const own = close.find(([first]) => first.configuration.scheme === scheme);
    return own === undefined || kept.includes(own) ? [] : [own];
  });
  return [...kept, ...simpler]
    .map((trial) => {
      const half = trial.slice(0, sure ? Math.max(2, Math.ceil(trial.length / 2)) : trial.length);
      // In the order in which they are trained.
      return half.sort((a, b) => a.order - b.order);
    })
    .sort((a, b) => a[0].order - b[0].order);
}

/** Whether so many samples were classified, all of them correctly, that other candidates cannot be told to be better. */
function isFlawless(tally: Tally, experiment: Experiment): boolean {
  // A sample that is left out again in another split says hardly anything new.
  return Math.min(countAsked(tally), experiment.y.length) >= SURE && scoreOf(tally, experiment) === 1;
}

function countAsked({ answers }: Tally): number {
  return answers.reduce((sum, votes) => sum + votes.length, 0);
}

function compareTallies(a: Tally, b: Tally, experiment: Experiment): number {
  return (
    scoreOf(b, experiment) - scoreOf(a, experiment) ||
    lossOf(a, experiment) - lossOf(b, experiment) ||
    a.order - b.order
  );
}

/**
 * By how many standard errors of the difference a is worse than b, on the folds that both were tried on. A sample that is left out
 * again in another split says hardly anything new.
 */
function deficitOf(a: Tally, b: Tally, { y, parts, folds }: Experiment): number {
  let [worse, better] = [0, 0];
  const asked = Math.min(a.answers.length, b.answers.length);
  for (let f = 0; f < asked; f++) {
    parts[f].test.forEach((id, i) => {
      const own = a.answers[f][i].winner === y[id];
      const other = b.answers[f][i].winner === y[id];
      if (other && !own) worse++;
      if (own && !other) better++;
    });
  }
  return worse > better ? (worse - better) / Math.sqrt((worse + better) * Math.max(1, asked / folds)) : 0;
}

function scoreOf({ answers }: Tally, { y, parts }: Experiment): number {
  let [right, all] = [0, 0];
  answers.forEach((votes, f) => {
    all += votes.length;
    for (let i = 0; i < votes.length; i++) if (votes[i].winner === y[parts[f].test[i]]) right++;
  });
  return all === 0 ? 0 : right / all;
}

function lossOf({ answers }: Tally, { y, parts }: Experiment): number {
  let [loss, all] = [0, 0];
  answers.forEach((votes, f) => {
    all += votes.length;
    for (let i = 0; i < votes.length; i++) loss -= ln(Math.max(1e-3, votes[i].shares[y[parts[f].test[i]]]));
  });
  return all === 0 ? 0 : loss / all;
}

function settle(tallies: readonly Tally[], experiment: Experiment): Found {
  const { parts, classes } = experiment;
  const asked = tallies.filter(({ answers }) => answers.length > 0);
  const most = Math.max(...asked.map(({ answers }) => answers.length));
  const ranked = [...asked].sort((a, b) => b.answers.length - a.answers.length || compareTallies(a, b, experiment));
  const finalists = ranked.filter(({ answers }) => answers.length === most);
  const close = finalists.filter((tally) => deficitOf(tally, finalists[0], experiment) <= 1);
  const simplest = Math.min(...close.map(levelOf));
  // Among equals, shares that are right more surely: accuracies of few samples differ by chance.
  const [surest, ...others] = close
    .filter((tally) => levelOf(tally) === simplest)
    .sort((a, b) => lossOf(a, experiment) - lossOf(b, experiment) || compareTallies(a, b, experiment));
  const winner = others.filter((tally) => isSmoother(tally, surest, experiment)).sort(bySmoothness)[0] ?? surest;
  const tried = ranked.map((tally) => summarise(tally, experiment));
  const places: number[] = [];
  const shares: number[] = [];
  winner.answers.forEach((votes, f) => {
    parts[f].test.forEach((id, i) => {
      places.push(id);
      for (let c = 0; c < classes; c++) shares.push(votes[i].shares[c]);
    });
  });
  return {
    chosen: tried[ranked.indexOf(winner)],
    tried,
    shares: Float64Array.from(shares),
    places: Uint32Array.from(places),
  };
}

/** Whether a is of the family of b with a larger penalty, and its log loss larger by at most one standard error. */
function isSmoother(a: Tally, b: Tally, { y, parts, folds }: Experiment): boolean {
  const [own, other] = [a.configuration, b.configuration];
  const alike = own.scheme === other.scheme && own.scale === other.scale && own.sharpness === other.sharpness;
  if (!alike || !(own.penalty > other.penalty)) return false;
  let [sum, squares, all] = [0, 0, 0];
  a.answers.forEach((votes, f) => {
    votes.forEach(({ shares }, i) => {
      const label = y[parts[f].test[i]];
      const more = ln(Math.max(1e-3, b.answers[f][i].shares[label])) - ln(Math.max(1e-3, shares[label]));
      sum += more;
      squares += more * more;
      all++;
    });
  });
  const mean = sum / all;
  const splits = Math.max(1, a.answers.length / folds);
  return mean <= Math.sqrt((Math.max(0, squares / all - mean * mean) / all) * splits);
}

const bySmoothness = (a: Tally, b: Tally) => b.configuration.penalty - a.configuration.penalty;

function summarise(tally: Tally, experiment: Experiment): Candidate {
  const { configuration, answers } = tally;
  const accuracy = scoreOf(tally, experiment);
  const each = answers.map((votes, f) => {
    const { test } = experiment.parts[f];
    return votes.filter(({ winner }, i) => winner === experiment.y[test[i]]).length / votes.length;
  });
  const variance = each.reduce((sum, share) => sum + (share - accuracy) ** 2, 0) / Math.max(1, each.length - 1);
  return {
    ...configuration,
    accuracy,
    deviation: Math.sqrt(variance),
    loss: lossOf(tally, experiment),
    folds: answers.length,
  };
}
