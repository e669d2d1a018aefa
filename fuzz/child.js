// Fuzzes one target in a process of its own, which fuzz/run.js starts, watches and may end. What it tries is in a file
// first, so that an input that hangs or kills the process is known.
import { openSync, readFileSync, writeSync } from "node:fs";
import { readCorpus } from "./corpus.js";
import { encode, makeRandom, mutate } from "./mutate.js";
import { openRunner } from "./runner.js";

const LONGEST = 4096;
const MOST_FAULTS = 10;

const { name, folder, branches, tokens, seed, seconds, runs: mostRuns, current, input } = JSON.parse(process.argv[2]);
const file = openSync(current, "w");
const random = makeRandom(seed);
const runner = await openRunner(folder, branches, name);
const { target } = runner;
const words = [...(target.tokens ?? []), ...tokens].map((token) => (typeof token === "string" ? encode(token) : token));

const known = new Uint8Array(8 * branches);
const corpus = [];
const faults = new Set();
let runs = 0;
let notes = 0;

const kept = [...readCorpus(name).map(({ bytes }) => bytes), ...((await target.seeds?.()) ?? [])];
if (input !== undefined) kept.push(new Uint8Array(readFileSync(input)));
for (const bytes of kept) await attempt(bytes);
if (corpus.length === 0) corpus.push(new Uint8Array());
const initial = countFeatures();

const end = performance.now() + 1000 * seconds;
while (faults.size < MOST_FAULTS && runs < mostRuns && performance.now() < end) await attempt(invent());
const features = countFeatures();
process.send({ runs, initial, features, corpus: corpus.map(toHex) }, () => process.disconnect());

async function attempt(bytes) {
  note(bytes);
  const fault = await runner.run(bytes);
  runs++;
  let fresh = false;
  for (const feature of runner.features()) {
    if (known[feature] === 1) continue;
    known[feature] = 1;
    fresh = true;
  }
  if (fault) await report(bytes, fault);
  else if (fresh && bytes.length <= LONGEST) corpus.push(bytes);
}

/** New inputs are tried more often. */
function invent() {
  const pick = () => corpus[random(3) === 0 ? Math.max(0, corpus.length - 1 - random(16)) : random(corpus.length)];
  const bytes = mutate(pick(), pick(), words, LONGEST, random);
  return target.repair && random(2) === 0 ? target.repair(bytes.slice()) : bytes;
}

async function report(bytes, fault) {
  if (faults.has(fault.kind)) return;
  faults.add(fault.kind);
  const small = await runner.shrink(bytes, fault, note);
  process.send({ fault: { ...fault, bytes: toHex(small) } });
}

/** The number of the trial, the length, the bytes. */
function note(bytes) {
  notes++;
  const head = new Uint8Array(8 + bytes.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, notes, true);
  view.setUint32(4, bytes.length, true);
  head.set(bytes, 8);
  writeSync(file, head, 0, head.length, 0);
}

function countFeatures() {
  const branchesSeen = new Set();
  for (let f = 0; f < known.length; f++) if (known[f] === 1) branchesSeen.add(f >> 3);
  return branchesSeen.size;
}

function toHex(bytes) {
  return Buffer.from(bytes).toString("hex");
}
