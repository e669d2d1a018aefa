import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { linesOf } from "./lines.js";

/**
 * A task's script ends with the task, but the samples of a partition should stay in memory between sweeps. So the first
 * script starts a daemon that holds the partition for later scripts of the same executor. It ends when the fit ends, when
 * the executor ends, or after 15 idle minutes.
 */
const IDLE_MS = 15 * 60_000;
const WATCH_MS = 1000;
const PATIENCE_MS = 20_000;

/** Runs a task; returns whether it was the last. */
type Serve = (lines: AsyncIterable<Buffer>, output: Writable) => Promise<boolean>;

/** The socket of a partition's daemon; the executor is the parent process of its scripts. */
export function addressOf(fit: string, partition: string, executor: number): string {
  const folder = join(tmpdir(), `bonmf-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (uid !== userInfo().uid) throw new Error(`${folder} belongs to another user`);
  chmodSync(folder, 0o700);
  return join(folder, `${fit}-${partition}-${executor}`);
}

/** Connects to the daemon of a partition; starts one where there is none. */
export async function connectDaemon(address: string, executor: number): Promise<Socket> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    const socket = await tryConnect(address);
    if (socket) return socket;
    if (attempt === 0) {
      rmSync(address, { force: true });
      const args = [process.argv[1], "daemon", address, String(executor)];
      spawn(process.execPath, args, { detached: true, stdio: "ignore" }).unref();
    }
    if (Date.now() > deadline) throw new Error(`no daemon answers at ${address}`);
    await sleep(20);
  }
}

function tryConnect(address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ path: address, allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => resolve(null));
  });
}

/**
 * Serves tasks one after another until it is told to end. Tasks with samples arrive on a Unix socket that only this user
 * can open. Tasks without samples arrive on a loopback port, which a shell reaches without starting Node; they present a
 * secret from a file that only this user can read.
 */
export function runDaemon(address: string, executor: number, serve: Serve): void {
  let turn = Promise.resolve();
  let seen = Date.now();
  let tasks = 0;
  const secret = randomBytes(16).toString("hex");
  const note = `${address}.port`;
  const end = () => {
    rmSync(note, { force: true });
    rmSync(address, { force: true });
    process.exit(0);
  };
  const take = (task: Socket, lines: AsyncIterable<Buffer>) => {
    tasks++;
    turn = turn.then(async () => {
      const over = await serve(lines, task);
      tasks--;
      seen = Date.now();
      if (over) task.end(end);
    });
  };
  const server = createServer({ allowHalfOpen: true }, (task) => {
    task.on("error", () => task.destroy());
    take(task, linesOf(task));
  });
  const loopback = createServer(async (task) => {
    task.on("error", () => task.destroy());
    const lines = linesOf(task);
    const { value } = await lines.next();
    if (value?.toString("latin1") === secret) take(task, first(lines));
    else task.destroy();
  });
  server.on("error", () => process.exit(1));
  server.listen(address, () => {
    loopback.listen(0, "127.0.0.1", () => {
      const { port } = loopback.address() as AddressInfo;
      writeFileSync(note, `${port} ${secret}\n`, { mode: 0o600 });
    });
  });
  setInterval(() => {
    const idle = tasks === 0 && Date.now() - seen > IDLE_MS;
    if (idle || !isRunning(executor)) end();
  }, WATCH_MS);
}

/** The first line alone: the caller keeps the connection open for the answer. */
async function* first(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { value, done } = await lines.next();
  if (!done) yield value;
}

/**
 * The shell command of a task without samples: it asks the partition's daemon, or answers `missing`. Its first row names the
 * partition, its second is the request. Dollar-brace variables cannot be used: Spark substitutes its own.
 */
export function askDaemon(fit: string): string {
  return `IFS=$'\\t' read -r partition _ || exit 0
f=$TMPDIR
[ -n "$f" ] || f=/tmp
f="$f/bonmf-$EUID/${fit}-$partition-$PPID.port"
if [ -r "$f" ] && read -r port secret < "$f" && { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null
then printf '%s\\n' "$secret" >&3; cat >&3; cat <&3
else cat >/dev/null; printf 'missing\\t%s\\t0\\t\\n' "$partition"; fi`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
