// Where a scenario runs, and what may be found there afterwards.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeData } from "./scenarios.js";

const OLD = "old";

/** A folder with data, and places for the cache and for temporary files. */
export function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), "faults-"));
  const place = { folder, cwd: join(folder, "work"), cache: join(folder, "cache"), tmp: join(folder, "tmp") };
  for (const path of [place.cwd, place.cache, place.tmp]) mkdirSync(path);
  writeData(place.cwd);
  return place;
}

export const environmentOf = ({ cache, tmp, folder }) => ({
  HOME: folder,
  XDG_CACHE_HOME: cache,
  LOCALAPPDATA: cache,
  TMPDIR: tmp,
  TEMP: tmp,
  NO_COLOR: "1",
});

/** What a run may not leave behind. */
export function findLeft({ cwd, tmp, cache }) {
  const list = (folder) => readdirSync(folder, { recursive: true }).map(String);
  return [...list(cwd), ...list(cache)].filter((name) => /\.part$|\.tmp/.test(name)).concat(list(tmp));
}

export const readOutput = (place, name) => {
  try {
    return readFileSync(join(place.cwd, name));
  } catch {
    return null;
  }
};

/** Problems of the outputs: each must be the older file or the whole new one; all new after exit code 0. */
export function judgeOutputs(place, scenario, expected, code) {
  return scenario.outputs.flatMap((name) => {
    const found = readOutput(place, name);
    if (found?.equals(expected.get(name))) return [];
    if (code !== 0 && found?.equals(Buffer.from(OLD))) return [];
    return [`${name} is ${found === null ? "gone" : `neither the older file nor the new one (${found.length} bytes)`}`];
  });
}

export function resetPlace(place, scenario) {
  for (const name of readdirSync(place.cwd)) if (name.endsWith(".part")) rmSync(join(place.cwd, name));
  for (const name of scenario.outputs) writeFileSync(join(place.cwd, name), OLD);
  for (const name of readdirSync(place.tmp)) rmSync(join(place.tmp, name), { recursive: true, force: true });
  if (scenario.cold) rmSync(join(place.cache, "bonmf"), { recursive: true, force: true });
}
