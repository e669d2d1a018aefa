// Compares test coverage, as V8 counts it, with the floors in coverage.json: `npm test -- --coverage`, then this. With --raise,
// floors go up to two percent below what was reached. Two things are outside of V8's view: WebAssembly, whose kernels
// tests compare with plain TypeScript to the bit, and processes and workers that tests start.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { finishChecks, report } from "./checks.js";
import { listPackages, root } from "./packages.js";

const KINDS = ["statements", "branches"];
const FLOORS = join(root, "scripts/coverage.json");
const SUMMARY = join(root, "coverage/coverage-summary.json");

if (!existsSync(SUMMARY)) throw new Error("there is no coverage to compare: npm test -- --coverage");
const summary = Object.entries(JSON.parse(readFileSync(SUMMARY, "utf8")));
const floors = JSON.parse(readFileSync(FLOORS, "utf8"));
for (const { folder } of listPackages()) reportPackage(folder, floors[folder] ?? {});
if (process.argv.includes("--raise")) writeFileSync(FLOORS, `${JSON.stringify(floors, null, 2)}\n`);
finishChecks();

function reportPackage(folder, floor) {
  const files = summary.filter(([path]) => relative(root, path).replaceAll("\\", "/").startsWith(`${folder}/`));
  const problems = [];
  const counts = KINDS.map((kind) => {
    const sum = (key) => files.reduce((total, [, counts]) => total + counts[kind][key], 0);
    const [covered, total] = [sum("covered"), sum("total")];
    const percent = total === 0 ? 0 : (100 * covered) / total;
    if (floor[kind] === undefined) problems.push(`${kind}: coverage.json has no floor`);
    else if (percent < floor[kind]) problems.push(`${kind}: the floor is ${floor[kind]} %`);
    floors[folder] = { ...floors[folder], [kind]: Math.max(Math.floor(percent) - 2, floor[kind] ?? 0) };
    return `${covered} of ${total} ${kind} (${percent.toFixed(1)} %)`;
  });
  report(`${folder}: ${counts.join(", ")}`, problems);
}
