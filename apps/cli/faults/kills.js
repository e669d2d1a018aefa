// Kills a command at each of its calls that write, in turn, and runs it again. What it finds goes to its parent.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentOf, findLeft, judgeOutputs, makePlace, readOutput, resetPlace } from "./place.js";
import { SCENARIOS } from "./scenarios.js";

const BINARY = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const PRELOAD = new URL("./preload.js", import.meta.url).href;
const HANGS_MS = 120_000;

function run(place, line, input = "", fault = null) {
  const { status, signal, stderr } = spawnSync(process.execPath, [BINARY, ...line], {
    cwd: place.cwd,
    env: {
      ...process.env,
      ...environmentOf(place),
      ...(fault && { NODE_OPTIONS: `--import ${PRELOAD}`, BONMF_FAULT: JSON.stringify(fault) }),
    },
    input,
    encoding: "utf8",
    timeout: HANGS_MS,
  });
  return { code: status, signal, stderr };
}

function sweep(scenario, { part, parts }, tell) {
  const { name, line, input, before = [] } = scenario;
  const of = scenario.pack ? "pack" : "main";
  const place = makePlace();
  try {
    for (const first of before) run(place, first);
    resetPlace(place, scenario);
    const log = join(place.folder, "calls");
    const { code, stderr } = run(place, line, input, { of, log });
    if (code !== 0) throw new Error(`undisturbed, ${name} ends with ${code}: ${stderr}`);
    const calls = existsSync(log)
      ? readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((text) => JSON.parse(text))
      : [];
    const writes = calls.filter((call) => call.writes);
    const expected = new Map(scenario.outputs.map((output) => [output, readOutput(place, output)]));
    for (const [i, call] of writes.entries()) {
      if (i % parts !== part) continue;
      resetPlace(place, scenario);
      const killed = run(place, line, input, { of, at: i + 1, how: "kill" });
      // The command survives the process that packs, and says so.
      const ended = of === "main" ? killed.signal === "SIGKILL" : killed.code === 1;
      const problems = ended ? [] : [`it ended with ${killed.signal ?? killed.code}: ${killed.stderr}`];
      problems.push(...judgeOutputs(place, scenario, expected, null));
      const next = run(place, line, input);
      if (next.code !== 0) problems.push(`the next run: exit code ${next.code}: ${next.stderr}`);
      problems.push(...judgeOutputs(place, scenario, expected, 0).map((problem) => `the next run: ${problem}`));
      const left = findLeft(place);
      if (left.length > 0) problems.push(`left behind after the next run: ${left.join(", ")}`);
      tell({
        title: `${name}, killed at ${call.kind} ${call.path ?? ""}, ${i + 1} of ${writes.length}`,
        problems,
        code: 0,
      });
    }
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

const [name, part, parts] = process.argv.slice(2);
const scenario = SCENARIOS.find((one) => one.name === name);
sweep(scenario, { part: Number(part), parts: Number(parts) }, (found) => process.send(found));
process.disconnect();
