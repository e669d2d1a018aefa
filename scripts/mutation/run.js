// Mutation testing with Stryker: changes the sources in small ways and runs the tests. A change that no test notices is a
// hole in the tests, or is explained in survivors.json. BONMF_AREAS=kernel,stop takes part of the areas (areas.js).
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { check, finishChecks, report } from "../checks.js";
import { root } from "../packages.js";

const here = join(root, "scripts/mutation");
const RESULT = join(root, "out/mutation.json");
const UNNOTICED = ["Survived", "NoCoverage"];
const explained = JSON.parse(readFileSync(join(here, "survivors.json"), "utf8"));

rmSync(RESULT, { force: true });
await check("Stryker runs", () => {
  if (!existsSync(join(here, "node_modules"))) run("npm", ["ci", "--loglevel=error"], here);
  const stryker = join(here, "node_modules/@stryker-mutator/core/bin/stryker.js");
  run(process.execPath, [stryker, "run", join(here, "stryker.config.js")], root);
});
if (existsSync(RESULT)) {
  const { files } = JSON.parse(readFileSync(RESULT, "utf8"));
  for (const [path, { mutants, source }] of Object.entries(files)) reportFile(path, mutants, source.split("\n"));
}
finishChecks();

function reportFile(path, mutants, lines) {
  const tried = mutants.filter(({ status }) => status !== "Ignored");
  const survivors = tried.filter(({ status }) => UNNOTICED.includes(status));
  const known = explained.filter(({ file }) => file === path);
  const isKnown = (mutant) => known.some((one) => matches(one, mutant, lines));
  const unexplained = survivors.filter((mutant) => !isKnown(mutant));
  const stale = known.filter((one) => !survivors.some((mutant) => matches(one, mutant, lines)));
  report(`${path}: ${tried.length} mutants, ${tried.length - survivors.length} noticed, ${survivors.length} not`, [
    ...unexplained.map((mutant) => `no test notices ${describe(mutant, lines)}`),
    ...stale.map(({ code, becomes }) => `survivors.json explains what tests notice: ${code} → ${becomes}`),
  ]);
}

function matches({ code, becomes }, mutant, lines) {
  return code === originalOf(mutant, lines) && becomes === flatten(mutant.replacement);
}

function describe(mutant, lines) {
  return `line ${mutant.location.start.line}: ${originalOf(mutant, lines)} → ${flatten(mutant.replacement)}`;
}

/** The code that the mutant replaces, on one line. */
function originalOf({ location: { start, end } }, lines) {
  const part = lines.slice(start.line - 1, end.line);
  part[part.length - 1] = part[part.length - 1].slice(0, end.column - 1);
  part[0] = part[0].slice(start.column - 1);
  return flatten(part.join("\n"));
}

function flatten(code) {
  return code.replace(/\s+/g, " ");
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
