// One row: a round in which results are compared, then timed rounds, contestants in turn (A B C, A B C, …).
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareSet, prepareStart } from "./data/catalog.js";
import { CACHE, DATA } from "./data/files.js";
import { openContestant } from "./process.js";
import { referee } from "./referee.js";

/** Lets the threads of the one before go to sleep. */
const PAUSE_MS = 100;
/** Whoever needs more than this share of the limit in the first round has one timed round and no more. */
const SLOW = 0.25;

/** The row's contestants with their reports, or null where its data is missing. */
export async function measureRow(row, { repeats, limit }, log) {
  const sets = row.sets.map(prepareSet);
  if (sets.includes(null)) return null;
  const patience = limit * (row.patience ?? 1);
  const labels = join(CACHE, "labels");
  mkdirSync(labels, { recursive: true });
  const out = (name) => join(labels, `${`${row.id} ${name}`.replaceAll(/[^\w.]+/g, "-")}.i32`);
  const start = row.k > 0 && sets.length > 0 ? prepareStart(sets[0], row.k) : null;
  const field = row.field({ set: sets[0], sets, start, k: row.k, out, path: (name) => join(DATA, name) });
  const teams = [];
  for (const contestant of field) teams.push(await openTeam(contestant, patience, log));
  try {
    const judge = referee(row.judge, sets);
    for (let round = 0; round <= Math.min(repeats, row.repeats ?? repeats); round++) {
      for (const team of teams) await takeTurn(team, { row, round, judge, patience, leader: teams[0], log });
    }
  } finally {
    for (const team of teams) team.process?.close();
  }
  return { id: row.id, task: row.task, samples: sets[0]?.samples, contestants: teams.map(summarise) };
}

async function openTeam(contestant, limit, log) {
  const team = { contestant, process: null, failure: null, first: null, reports: [], verdict: {} };
  try {
    team.process = await openContestant(contestant, limit);
  } catch (error) {
    fail(team, error, log);
  }
  return team;
}

async function takeTurn(team, { row, round, judge, patience, leader, log }) {
  if (team.failure || (team.tired && round > 1)) return;
  try {
    await sleep(PAUSE_MS);
    const report = await runOnce(team, row, leader);
    log(`  ${team.contestant.name}: ${report.seconds.toPrecision(3)} s`);
    if (round > 0) team.reports.push(report);
    else {
      team.first = report;
      team.tired = (report.whole ?? report.seconds) > SLOW * patience;
    }
    if (team.contestant.compare === false) return;
    const verdict = judge(report, team.contestant.load?.out);
    const varies = round > 0 && verdict.digest !== team.verdict.digest;
    team.verdict = {
      ...verdict,
      varies: varies || team.verdict.varies,
      differs: verdict.differs || team.verdict.differs,
    };
  } catch (error) {
    fail(team, error, log);
  }
}

async function runOnce({ contestant, process }, { lengths }, leader) {
  if (!lengths) {
    const iterations = contestant.follows ? leader.first?.iterations : undefined;
    if (contestant.follows && !iterations) throw new Error("the iterations to do are not known: the first failed");
    return process.run({ iterations });
  }
  const [short, long] = lengths;
  const brief = await process.run({ iterations: short });
  const report = await process.run({ iterations: long });
  const each = (report.seconds - brief.seconds) / (long - short);
  // A difference lost in noise: fall back on the mean.
  return { ...report, whole: report.seconds, seconds: each > 0 ? each : report.seconds / long };
}

function fail(team, { message }, log) {
  log(`  ${team.contestant.name}: ${message}`);
  team.failure = message;
}

function summarise({ contestant: { name }, failure, first, reports, verdict }) {
  const [{ iterations, whole, rate, unit, stopped, repairs, kernel } = {}] = reports;
  const seconds = reports.map((report) => report.seconds);
  const rates = rate === undefined ? undefined : reports.map((report) => report.rate);
  return {
    name,
    failure,
    first: first?.seconds,
    seconds,
    iterations,
    whole,
    stopped,
    repairs,
    kernel,
    rates,
    unit,
    ...verdict,
  };
}
