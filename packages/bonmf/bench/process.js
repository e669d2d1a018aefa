// A contestant as a process of its own that lives for one row: it loads the data, then does one timed run a request.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { python } from "./peers.js";

/** -B: no compiled files beside the scripts, which lie in the tree. */
const COMMANDS = { node: [process.execPath], python: [python, "-B"] };
/** Loading may include building an index or a first fit. */
const LOAD_PATIENCE = 5;

export async function openContestant({ runtime, script, task, load, env }, limit) {
  const path = fileURLToPath(new URL(`contestants/${script}`, import.meta.url));
  const command = [...COMMANDS[runtime], path];
  if (task === "cold") return { run: () => runCold([...command, JSON.stringify(load)], limit, env), close() {} };
  const talk = converse(spawnQuietly([...command, task], env));
  try {
    await talk.ask(load, limit * LOAD_PATIENCE);
  } catch (error) {
    talk.close();
    throw error;
  }
  return { run: (request) => talk.ask(request, limit), close: talk.close };
}

function spawnQuietly([command, ...args], env) {
  return spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
}

/** One JSON line in, one JSON line out. */
function converse(child) {
  let answer = null;
  const complaint = collectErrors(child, (reason) => answer?.reject(new Error(reason)));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { error, ...report } = JSON.parse(line);
    if (error) answer?.reject(new Error(error));
    else answer?.resolve(report);
  });
  child.stdin.on("error", () => {}); // its end is reported by "exit"
  return {
    async ask(request, limit) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(complaint());
      const timer = setTimeout(() => {
        answer?.reject(new Error(`over ${limit} s`));
        child.kill("SIGKILL");
      }, limit * 1000);
      try {
        return await new Promise((resolve, reject) => {
          answer = { resolve, reject };
          child.stdin.write(`${JSON.stringify(request)}\n`);
        });
      } finally {
        clearTimeout(timer);
        answer = null;
      }
    },
    close() {
      child.kill("SIGKILL");
    },
  };
}

/** From the start of the process to its first line, which comes when the labels are written. */
function runCold(command, limit, env) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawnQuietly(command, env);
    const timer = setTimeout(() => child.kill("SIGKILL"), limit * 1000);
    let report = null;
    const complaint = collectErrors(child, () => {
      clearTimeout(timer);
      if (report) resolve(report);
      else reject(new Error(complaint()));
    });
    createInterface({ input: child.stdout }).once("line", (line) => {
      report = { seconds: (performance.now() - began) / 1000, ...JSON.parse(line) };
    });
  });
}

/** Keeps what the process says on its error channel; `onEnd` gets the last line of it. */
function collectErrors(child, onEnd) {
  let tail = "";
  const complaint = () => tail.trim().split("\n").at(-1) || `ended by ${child.signalCode ?? `code ${child.exitCode}`}`;
  child.stderr.on("data", (chunk) => {
    tail = (tail + chunk).slice(-4000);
  });
  child.on("error", (error) => {
    tail = error.message;
    onEnd(complaint());
  });
  child.on("close", () => onEnd(complaint()));
  return complaint;
}
