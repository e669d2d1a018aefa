// Counts the calls of the file system, of child processes and of threads, and the places that allocate large arrays, and
// disturbs one of them. Patches the modules of Node, so that it sees every call whoever makes it. Files of the program itself
// and of the system are left alone. DuckDB's own calls are out of its reach.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import threads from "node:worker_threads";

/** @typedef {{ kind: string, writes: boolean, path: string | null }} Call */

const CODE = fileURLToPath(new URL("../../../", import.meta.url));
const MESSAGES = {
  ENOSPC: "no space left on device",
  EIO: "i/o error",
  EACCES: "permission denied",
  EMFILE: "too many open files",
};
const PATHS = {
  reading: ["readFile", "readdir", "stat", "lstat", "realpath", "access"],
  writing: ["writeFile", "mkdir", "mkdtemp", "rename", "rm", "unlink", "copyFile", "symlink", "utimes", "chmod"],
};
const HANDLES = {
  reading: ["read", "stat", "readFile"],
  writing: ["write", "writeFile", "sync", "chmod", "utimes", "close"],
};
const LARGE = 4096;

/** What to do at a call: undefined to let it pass, an error's code, or a function. */
let hear = () => undefined;
/** The program's own files, by descriptor and handle. */
const ownFiles = new Set();
const ownHandles = new WeakSet();
const handlePaths = new WeakMap();

/** @param listener told of every call; returns the code of the error that it shall throw, or undefined */
export function listen(listener) {
  hear = listener;
}

function systemError(code, kind, path) {
  const at = path === null ? "" : ` '${path}'`;
  return Object.assign(new Error(`${code}: ${MESSAGES[code]}, ${kind}${at}`), { code, syscall: kind, errno: -5 });
}

function isOwn(path) {
  if (typeof path === "number") return ownFiles.has(path);
  const name = path instanceof URL ? fileURLToPath(path) : path;
  return typeof name !== "string" || resolve(name).startsWith(CODE) || /^\/(proc|usr)\//.test(name);
}

/** Throws if the call is to fail. */
function pass(kind, writes, path) {
  const name = typeof path === "string" ? path : null;
  const code = hear({ kind, writes, path: name });
  if (code !== undefined) throw systemError(code, kind, name);
}

const writesBy = (flags) => typeof flags === "string" && /[wax+]/.test(flags);

function patchPromises() {
  const { promises } = fs;
  const wrap = (kind, writes) => {
    const real = promises[kind];
    promises[kind] = async (path, ...rest) => {
      if (!isOwn(path)) pass(kind, writes, path);
      return real(path, ...rest);
    };
  };
  for (const kind of PATHS.reading) wrap(kind, false);
  for (const kind of PATHS.writing) wrap(kind, true);
  const open = promises.open;
  promises.open = async (path, flags, mode) => {
    const own = isOwn(path);
    if (!own) pass("open", writesBy(flags), path);
    const handle = await open(path, flags, mode);
    if (own) ownHandles.add(handle);
    handlePaths.set(handle, path);
    return handle;
  };
}

async function patchHandles() {
  const handle = await fs.promises.open(fileURLToPath(import.meta.url));
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const [kinds, writes] of [
    [HANDLES.reading, false],
    [HANDLES.writing, true],
  ]) {
    for (const kind of kinds) {
      const real = prototype[kind];
      prototype[kind] = async function (...args) {
        if (!ownHandles.has(this)) {
          try {
            pass(kind, writes, handlePaths.get(this) ?? null);
          } catch (error) {
            // A failed close closes all the same, and a disk is full in the middle of a file.
            if (kind === "close") await real.apply(this, args);
            if (kind === "writeFile" && args[0].length > 1)
              await real.call(this, args[0].slice(0, args[0].length >> 1));
            throw error;
          }
        }
        return real.apply(this, args);
      };
    }
  }
}

function patchSync() {
  const wrap = (name, writes) => {
    const real = fs[name];
    fs[name] = (path, ...rest) => {
      if (!isOwn(path)) pass(name.replace(/Sync$/, ""), writes, path);
      return real(path, ...rest);
    };
  };
  for (const kind of ["readFile", "stat", "readdir", "read"]) wrap(`${kind}Sync`, false);
  for (const kind of ["writeFile", "appendFile", "mkdir", "mkdtemp", "rename", "rm", "unlink", "write"]) {
    wrap(`${kind}Sync`, true);
  }
  const open = fs.openSync;
  fs.openSync = (path, flags, mode) => {
    const own = isOwn(path);
    if (!own) pass("open", writesBy(flags), path);
    const file = open(path, flags, mode);
    if (own) ownFiles.add(file);
    else ownFiles.delete(file);
    return file;
  };
}

/** Streams call these. */
function patchCallbacks() {
  for (const [kind, writes] of [
    ["open", null],
    ["read", false],
    ["write", true],
    ["writev", true],
  ]) {
    const real = fs[kind];
    fs[kind] = (target, ...rest) => {
      const done = rest.at(-1);
      try {
        if (!isOwn(target)) pass(kind, writes ?? writesBy(rest[0]), target);
      } catch (error) {
        process.nextTick(done, error);
        return;
      }
      real(target, ...rest);
    };
  }
}

/** A program that is not there fails as one that cannot be started: by an event, later. */
function patchProcesses() {
  const none = resolve(sep, "nonexistent", "program");
  const refused = (kind, path) => {
    try {
      pass(kind, false, path);
      return false;
    } catch {
      return true;
    }
  };
  const { fork, spawn, execFile } = childProcess;
  childProcess.fork = (path, args, options) => {
    const given = Array.isArray(args) ? options : args;
    return refused("fork", path) ? fork(path, { ...given, execPath: none }) : fork(path, args, options);
  };
  childProcess.spawn = (command, ...rest) => spawn(refused("spawn", command) ? none : command, ...rest);
  childProcess.execFile = (command, ...rest) => execFile(refused("spawn", command) ? none : command, ...rest);
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(...args) {
      if (refused("thread", null)) {
        throw Object.assign(new Error("Worker initialization failure: EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
      }
      super(...args);
    }
  };
}

/** Each place in the program that allocates counts once: its first allocation is a call. */
function patchAllocations() {
  const seen = new Set();
  forgetPlaces = () => seen.clear();
  const allocate = (size, message) => {
    if (!(size >= LARGE)) return;
    const place = new Error("place").stack
      .split("\n")
      .filter((line) => !line.includes("shim.js"))
      .slice(1, 9)
      .join("\n");
    if (seen.has(place)) return;
    seen.add(place);
    if (hear({ kind: "allocate", writes: false, path: null }) !== undefined) throw new RangeError(message);
  };
  for (const name of ["ArrayBuffer", "SharedArrayBuffer", ...VIEWS]) {
    const Real = globalThis[name];
    const bytes = Real.BYTES_PER_ELEMENT ?? 1;
    globalThis[name] = new Proxy(Real, {
      construct(target, args, newTarget) {
        const [first] = args;
        const length =
          typeof first === "number" ? first : ArrayBuffer.isView(first) || Array.isArray(first) ? first.length : 0;
        allocate(length * bytes, "Array buffer allocation failed");
        return Reflect.construct(target, args, newTarget === globalThis[name] ? target : newTarget);
      },
    });
    Real.prototype.constructor = globalThis[name];
  }
  const { Memory } = WebAssembly;
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, args) {
      allocate(LARGE, "WebAssembly.Memory(): could not allocate memory");
      return Reflect.construct(target, args);
    },
  });
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function (pages) {
    if (pages > 0) allocate(LARGE, "WebAssembly.Memory.grow(): Unable to grow instance memory");
    return grow.call(this, pages);
  };
}

const VIEWS = [
  "Float32Array",
  "Float64Array",
  "Uint8Array",
  "Uint16Array",
  "Uint32Array",
  "Int8Array",
  "Int16Array",
  "Int32Array",
];

/** Counts the places that allocate from the beginning. */
export let forgetPlaces = () => {};

/** @param allocations whether to see them too, which makes the program slow */
export async function installShim({ allocations = false } = {}) {
  patchPromises();
  await patchHandles();
  patchSync();
  patchCallbacks();
  patchProcesses();
  if (allocations) patchAllocations();
  syncBuiltinESMExports();
}
