import { ln } from "../random.js";
import type { Configuration, Experiment } from "./cross-validation.js";
import type { Votes } from "./decision.js";

/** A configuration and its result in cross-validation. */
export interface Candidate extends Configuration {
  /** The share of samples classified correctly when they were left out. */
  readonly accuracy: number;
  /** The same where every class counts alike, however few samples it has. */
  readonly balanced: number;
  /** The standard deviation over the folds of what candidates are compared by; 0 after one fold. */
  readonly deviation: number;
  /** The mean log loss of its shares, each kept above 0.001; classes count as in what candidates are compared by. */
  readonly loss: number;
  /** How many folds it was tried on: fewer than the others where it was dropped early. */
  readonly folds: number;
}

/** What is known of one configuration. */
export interface Tally {
  readonly configuration: Configuration;
  readonly order: number;
  /** Of each fold, in their order. */
  readonly answers: Answers[];
  readonly sums: AnswerSums;
}

/** The votes on n samples; thousands of small arrays would keep the garbage collector busy. */
interface Answers {
  readonly winners: Uint32Array;
  /** n × c. */
  readonly shares: Float64Array;
}

/** Sums over the answers, each times what it is worth where candidates are compared. */
interface AnswerSums {
  right: number;
  loss: number;
  all: number;
  squares: number;
}

export function startTally(configuration: Configuration, order: number): Tally {
  return { configuration, order, answers: [], sums: { right: 0, loss: 0, all: 0, squares: 0 } };
}

/** Adds the answers on the next fold. */
export function addAnswers({ answers, sums }: Tally, votes: readonly Votes[], experiment: Experiment): void {
  const { test } = experiment.parts[answers.length];
  const worth = worthOf(experiment);
  const winners = new Uint32Array(votes.length);
  const all = new Float64Array(votes.length * experiment.classes);
  votes.forEach(({ winner, shares }, i) => {
    winners[i] = winner;
    all.set(shares, i * experiment.classes);
    const label = experiment.y[test[i]];
    const weight = weigh(worth, label);
    if (winner === label) sums.right += weight;
    sums.loss -= weight * lnOf(shares[label]);
    sums.all += weight;
    sums.squares += weight * weight;
  });
  answers.push({ winners, shares: all });
}

/** What a left-out sample of a class is worth where candidates are compared. */
function worthOf({ worth, measure }: Pick<Experiment, "worth" | "measure">): Float64Array | null {
  return measure === "balanced" ? worth : null;
}

function weigh(worth: Float64Array | null, label: number): number {
  return worth === null ? 1 : worth[label];
}

/** The share of right answers. @param worth IN of a sample of each class; null: 1 each */
export function shareRight(winners: Uint32Array, truth: Uint32Array, worth: Float64Array | null): number {
  return shareOf([winners], [truth], worth);
}

function shareOf(answers: readonly Uint32Array[], truths: readonly Uint32Array[], worth: Float64Array | null): number {
  let [right, all] = [0, 0];
  answers.forEach((winners, f) => {
    winners.forEach((winner, i) => {
      const label = truths[f][i];
      const weight = weigh(worth, label);
      all += weight;
      if (winner === label) right += weight;
    });
  });
  return all === 0 ? 0 : right / all;
}

/** What candidates are compared by. */
export function scoreOf({ sums: { right, all } }: Tally): number {
  return all === 0 ? 0 : right / all;
}

export function lossOf({ sums: { loss, all } }: Tally): number {
  return all === 0 ? 0 : loss / all;
}

function lnOf(share: number): number {
  return ln(Math.max(1e-3, share));
}

/** How many left-out samples of equal worth would say as much. */
export function countAsked({ sums: { all, squares } }: Tally): number {
  return squares === 0 ? 0 : (all * all) / squares;
}

export function compareTallies(a: Tally, b: Tally): number {
  return scoreOf(b) - scoreOf(a) || lossOf(a) - lossOf(b) || a.order - b.order;
}

/**
 * By how many standard errors of the difference a is worse than b, on the folds that both were tried on. A sample that is left out
 * again in another split says hardly anything new.
 */
export function deficitOf(a: Tally, b: Tally, experiment: Experiment): number {
  const { y, parts, folds } = experiment;
  const worth = worthOf(experiment);
  let [deficit, squares] = [0, 0];
  const asked = Math.min(a.answers.length, b.answers.length);
  for (let f = 0; f < asked; f++) {
    parts[f].test.forEach((id, i) => {
      const own = a.answers[f].winners[i] === y[id];
      const other = b.answers[f].winners[i] === y[id];
      if (own === other) return;
      const weight = weigh(worth, y[id]);
      deficit += other ? weight : -weight;
      squares += weight * weight;
    });
  }
  return deficit > 0 ? deficit / Math.sqrt(squares * Math.max(1, asked / folds)) : 0;
}

/** Whether a is of the family of b with a larger penalty, and its log loss larger by at most one standard error. */
export function isSmoother(a: Tally, b: Tally, experiment: Experiment): boolean {
  const { y, parts, folds, classes } = experiment;
  const [own, other] = [a.configuration, b.configuration];
  const alike = own.scheme === other.scheme && own.scale === other.scale && own.sharpness === other.sharpness;
  if (!alike || !(own.penalty > other.penalty)) return false;
  const worth = worthOf(experiment);
  const differences: { weight: number; more: number }[] = [];
  let [sum, all] = [0, 0];
  a.answers.forEach(({ shares }, f) => {
    parts[f].test.forEach((id, i) => {
      const label = y[id];
      const weight = weigh(worth, label);
      const at = i * classes + label;
      const more = lnOf(b.answers[f].shares[at]) - lnOf(shares[at]);
      differences.push({ weight, more });
      sum += weight * more;
      all += weight;
    });
  });
  const mean = sum / all;
  const spread = differences.reduce((total, { weight, more }) => total + (weight * (more - mean)) ** 2, 0);
  const splits = Math.max(1, a.answers.length / folds);
  return mean <= Math.sqrt(spread * splits) / all;
}

export function summarise(tally: Tally, experiment: Experiment): Candidate {
  const { configuration, answers } = tally;
  const { y, parts } = experiment;
  const truths = answers.map((_, f) => parts[f].test.map((id) => y[id]));
  const winners = answers.map((own) => own.winners);
  const score = scoreOf(tally);
  const each = winners.map((own, f) => shareRight(own, truths[f], worthOf(experiment)));
  const variance = each.reduce((sum, share) => sum + (share - score) ** 2, 0) / Math.max(1, each.length - 1);
  return {
    ...configuration,
    accuracy: shareOf(winners, truths, null),
    balanced: shareOf(winners, truths, experiment.worth),
    deviation: Math.sqrt(variance),
    loss: lossOf(tally),
    folds: answers.length,
  };
}
