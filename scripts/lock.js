// One at a time, over processes: a lock is a file that names its holder. It is abandoned when the holder is gone, or,
// since process numbers are reused, when it was not touched for long.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const PAUSE = 100;
const ABANDONED = 10 * 60_000;

/**
 * Does the work once the lock at `path` is ours.
 *
 * @param onWait called once if another process has it
 * @param work gets `touch`, to be called every few minutes
 */
export async function alone(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  let waited = false;
  while (!take(path)) {
    if (isAbandoned(path)) {
      clear(path);
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  try {
    return await work(() => utimesSync(path, new Date(), new Date()));
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > ABANDONED) return true;
    const holder = readFileSync(path, "utf8");
    return holder !== "" && !isAlive(Number(holder)); // empty for a moment, until its holder has written it
  } catch (error) {
    if (error.code === "ENOENT") return false; // given back meanwhile
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** A zombie process: ended, but not reaped by its parent. */
function isZombie(pid) {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && readFileSync(path, "utf8").includes(") Z ");
}

/** Removes the file and checks again: another process may have taken the lock meanwhile. */
function clear(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (isAbandoned(aside)) rmSync(aside, { force: true });
  else renameSync(aside, path);
}
