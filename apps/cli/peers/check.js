// Compares our readers with NumPy's, SciPy's, scikit-learn's and pyarrow's on whole and on damaged files, always the same
// ones: check.js [FORMAT …] [--files 250] [--seed 1] [--keep FOLDER]. Build first.
//
// What both read has the same values. What we read although the peer does not is explained in allowed.js. No reader of ours
// dies, hangs, takes memory out of proportion or throws what is no error for people.
//
// PYTHON: a Python with numpy, scipy, scikit-learn and pyarrow; python3 unless told.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { repairZip } from "../../../fuzz/containers.js";
import { encode, makeRandom, mutate } from "../../../fuzz/mutate.js";
import { finishChecks, report } from "../../../scripts/checks.js";
import { ALLOWED } from "./allowed.js";
import { askAll } from "./answers.js";
import { findDifference } from "./compare.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "string", default: "250" },
    seed: { type: "string", default: "1" },
    keep: { type: "string" },
  },
});
const FORMATS = ["npy", "npz", "market", "arff", "libsvm", "csv", "parquet", "arrow"];
/** Bytes beyond those of the first files, all of which are small. */
const MOST_MEMORY = 700 * 2 ** 20;
const LONGEST = 20_000;
const python = process.env.PYTHON ?? "python3";
const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = options.keep ?? mkdtempSync(join(tmpdir(), "bonmf-readers-"));
mkdirSync(folder, { recursive: true });
/** Under node_modules, so that it finds packages. */
const studio = join(root, `node_modules/.cache/bonmf-readers/${process.pid}.mjs`);

try {
  await build({
    entryPoints: [join(root, "apps/studio/src/data/parquet.ts")],
    outfile: studio,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  const made = spawnSync(python, [join(here, "make_files.py"), folder], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.error?.message ?? made.stderr);
  const queue = positionals.length > 0 ? positionals : FORMATS;
  const work = async () => {
    for (let format = queue.shift(); format !== undefined; format = queue.shift()) await checkFormat(format);
  };
  await Promise.all([work(), work()]);
} finally {
  rmSync(studio, { force: true });
  if (!options.keep) rmSync(folder, { recursive: true });
}
finishChecks();

async function checkFormat(format) {
  const whole = readdirSync(join(folder, format))
    .filter((name) => !name.startsWith("damaged-"))
    .sort();
  const paths = [...whole, ...damage(format, whole)].map((name) => join(folder, format, name));
  const [ours, theirs] = await Promise.all([
    askAll([process.execPath, join(here, "read-files.js"), format, studio], paths),
    askAll([python, join(here, "read_files.py"), format], paths),
  ]);
  const tally = { both: 0, allowed: new Map(), problems: [] };
  const base = ours[0].peak;
  for (const [f, path] of paths.entries()) {
    const { answers = {}, died, peak } = ours[f];
    const fail = (reader, text) => tally.problems.push(`${path.slice(folder.length + 1)}, ${reader}: ${text}`);
    if (died) fail("ours", died);
    if (peak - base > MOST_MEMORY && !(ours[f - 1]?.peak - base > MOST_MEMORY))
      fail("ours", `took ${peak - base} bytes`);
    for (const [reader, answer] of Object.entries(answers)) {
      const text = answer && judge(format, { path, reader, answer, theirs: theirs[f], whole: f < whole.length }, tally);
      if (text) fail(reader, text);
    }
  }
  if (tally.both < paths.length / 10) tally.problems.push(`${tally.both} readings by both are too few to tell`);
  const alone = [...tally.allowed].map(([reason, count]) => `${count} × ${reason}`);
  const summary = [`${paths.length} files`, `${tally.both} readings the same`, ...alone].join("; ");
  report(`${format}: ${summary}`, tally.problems);
}

/** @returns what is wrong */
function judge(format, { path, reader, answer, theirs, whole }, tally) {
  if (answer.fault) return answer.fault;
  const peer = theirs.refused ?? (theirs.died && `the peer ${theirs.died}`);
  if (answer.refused) return whole && !peer && isNumeric(theirs) ? answer.refused : undefined;
  const difference = peer ? undefined : findDifference(answer, theirs);
  if (!peer && !difference) {
    tally.both++;
    return;
  }
  const content = readFileSync(path);
  const text = content.toString("latin1");
  const rule = ALLOWED[format].find(({ when }) => when({ peer, difference, text, answer, reader, theirs }));
  if (!rule) return peer ? `read, but the peer says ${peer}` : difference;
  tally.allowed.set(rule.reason, (tally.allowed.get(rule.reason) ?? 0) + 1);
}

/** Whether there is no text and no missing value, which the command leaves to options. */
function isNumeric({ columns = [] }) {
  return columns.every(([, values]) => values.every((value) => typeof value === "number"));
}

/** Writes changed files beside the whole ones: one bit or several pieces. */
function damage(format, whole) {
  const random = makeRandom(Number(options.seed));
  const contents = whole.map((name) => new Uint8Array(readFileSync(join(folder, format, name))));
  const tokens = [",", "\n", " ", "-", "1e5", "nan", "0"].map(encode);
  return Array.from({ length: Number(options.files) }, (_, turn) => {
    const bytes = contents[turn % contents.length];
    const flip = random(2) === 0;
    const changed = flip ? flipBit(bytes, random) : mutate(bytes, pick(contents, random), tokens, LONGEST, random);
    const name = `damaged-${turn}.${format}`;
    writeFileSync(join(folder, format, name), format === "npz" && random(4) > 0 ? repairZip(changed) : changed);
    return name;
  });
}

function pick(list, random) {
  return list[random(list.length)];
}

function flipBit(bytes, random) {
  const changed = bytes.slice();
  changed[random(bytes.length)] ^= 1 << random(8);
  return changed;
}
