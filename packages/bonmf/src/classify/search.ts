import { yieldIfDue } from "../engine/yield.js";
import { type Configuration, type Experiment, type Family, type FoldFits, tryFamily } from "./cross-validation.js";
import {
  addAnswers,
  type Candidate,
  compareTallies,
  countAsked,
  deficitOf,
  isSmoother,
  lossOf,
  scoreOf,
  startTally,
  summarise,
  type Tally,
} from "./tally.js";

/** A report of progress. */
export interface SearchStep {
  /** Trials that are done, of one family of candidates on one fold each. */
  readonly done: number;
  /** The most trials that there may be. Families dropped early make it fewer. */
  readonly total: number;
  readonly scale: Configuration["scale"];
  readonly scheme: Configuration["scheme"];
  /** The best accuracy so far; balanced accuracy where candidates are compared by that. */
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
  const all = families.map((family): Trial => family.map((configuration) => startTally(configuration, order++)));
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
        addAnswers(tally, answers[a], experiment);
      });
      asked.push(trial);
      done++;
      const [{ scale, scheme }] = family;
      onStep?.({ done, total, scale, scheme, accuracy: Math.max(...all.flat().map(scoreOf)) });
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
  const scored = open.map((trial) => [...trial].sort(compareTallies));
  scored.sort((a, b) => compareTallies(a[0], b[0]));
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
  return Math.min(countAsked(tally), experiment.y.length) >= SURE && scoreOf(tally) === 1;
}

function settle(tallies: readonly Tally[], experiment: Experiment): Found {
  const { parts } = experiment;
  const asked = tallies.filter(({ answers }) => answers.length > 0);
  const most = Math.max(...asked.map(({ answers }) => answers.length));
  const ranked = [...asked].sort((a, b) => b.answers.length - a.answers.length || compareTallies(a, b));
  const finalists = ranked.filter(({ answers }) => answers.length === most);
  const close = finalists.filter((tally) => deficitOf(tally, finalists[0], experiment) <= 1);
  const simplest = Math.min(...close.map(levelOf));
  // Among equals, shares that are right more surely: accuracies of few samples differ by chance.
  const [surest, ...others] = close
    .filter((tally) => levelOf(tally) === simplest)
    .sort((a, b) => lossOf(a) - lossOf(b) || compareTallies(a, b));
  const winner = others.filter((tally) => isSmoother(tally, surest, experiment)).sort(bySmoothness)[0] ?? surest;
  const tried = ranked.map((tally) => summarise(tally, experiment));
  const places: number[] = [];
  const shares: number[] = [];
  winner.answers.forEach((own, f) => {
    for (const id of parts[f].test) places.push(id);
    for (const share of own.shares) shares.push(share);
  });
  return {
    chosen: tried[ranked.indexOf(winner)],
    tried,
    shares: Float64Array.from(shares),
    places: Uint32Array.from(places),
  };
}

const bySmoothness = (a: Tally, b: Tally) => b.configuration.penalty - a.configuration.penalty;
