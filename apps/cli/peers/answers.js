// A program that reads many files: it is given a path a line and answers each by a line of JSON.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Without an answer for so long, it hangs. */
const HANG_MS = 30_000;

/**
 * The answers of a program to files, in their order. One that dies or hangs is started again for the files after; the answer
 * to the file it died of is { died: how }.
 *
 * @param command the program and its arguments
 */
export async function askAll([program, ...args], files) {
  const answers = [];
  while (answers.length < files.length) {
    const before = answers.length;
    const how = await askSome(program, args, files.slice(before), answers);
    if (answers.length === before && how.startsWith("cannot")) throw new Error(`${program} ${how}`);
    if (answers.length < files.length) answers.push({ died: how });
  }
  return answers;
}

/** @returns how the program ended */
async function askSome(program, args, files, answers) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  let hangs = false;
  let watch;
  const listen = () => {
    clearTimeout(watch);
    watch = setTimeout(() => {
      hangs = true;
      child.kill("SIGKILL");
    }, HANG_MS);
  };
  child.stderr.on("data", (text) => {
    said = `${said}${text}`.slice(-2000);
  });
  // It may be dead before it has read all.
  child.stdin.on("error", () => {});
  child.stdin.end(files.map((file) => `${file}\n`).join(""));
  listen();
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(`cannot run: ${error.message}`));
    child.on("close", (code, signal) => resolve(`ended with ${signal ?? code}: ${said.trim().split("\n").at(-1)}`));
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    listen();
    answers.push(JSON.parse(line));
  });
  const how = await ended;
  clearTimeout(watch);
  return hangs ? `gave no answer for ${HANG_MS / 1000} s` : how;
}
