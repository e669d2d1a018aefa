import { UserError } from "./errors.js";

/** The message and exit code of a failed command. */
export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  /** For programs: the library's code, or "user", "internal", "interrupted". */
  readonly code: string;
  readonly exit: number;
}

/** What the operating system refused, and what helps. */
const REFUSALS = new Map<string, string | undefined>([
  ["ENOSPC", "free some space, or choose another disk"],
  ["EDQUOT", "free some space, or choose another disk"],
  ["EROFS", "choose another folder"],
  ["EACCES", "choose files and folders of your own"],
  ["EPERM", "choose files and folders of your own"],
  ["EIO", "the disk or the network reports an error: check it, or copy the files to another"],
  ["EMFILE", "close other programs, or raise the limit: ulimit -n 4096"],
  ["ENFILE", "close other programs"],
  ["EAGAIN", "close other programs, or use fewer --threads"],
  ["ENOMEM", "close other programs, or keep the samples on disk with bonmf fit … --memory 2GB"],
  ...["ENOENT", "EISDIR", "ENOTDIR", "EEXIST", "EBUSY", "ETXTBSY", "ESTALE", "ETIMEDOUT"].map(
    (code) => [code, undefined] as const,
  ),
]);

const NO_MEMORY =
  /allocation failed|Invalid typed array length|could not allocate memory|Unable to grow|Maximum memory size/i;

/** @param interrupted the exit code of the signal that stopped the command, 0 where there was none */
export async function describeFailure(error: unknown, interrupted: number): Promise<Failure> {
  const user = error instanceof UserError;
  const hint = user ? error.hint : undefined;
  if (interrupted !== 0) {
    return { message: user ? error.message : "stopped before the end", hint, code: "interrupted", exit: interrupted };
  }
  if (user) return { message: error.message, hint, code: "code" in error ? String(error.code) : "user", exit: 1 };
  const message = error instanceof Error ? error.message : String(error);
  const { BonmfError, OptionError } = await import("bonmf");
  if (error instanceof BonmfError) {
    const flag =
      error instanceof OptionError ? `--${error.option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}` : "";
    return { message, hint: flag === "" ? undefined : `change ${flag}`, code: error.code, exit: 1 };
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string" && REFUSALS.has(code))
    return { message, hint: REFUSALS.get(code), code: "user", exit: 1 };
  const { explainStorage } = await import("./read/duckdb/storage.js");
  const storage = explainStorage(error);
  if (storage) return { message: storage.message, hint: storage.hint, code: "user", exit: 1 };
  if (code === "ERR_WORKER_OUT_OF_MEMORY" || (error instanceof RangeError && NO_MEMORY.test(message))) {
    return {
      message: "not enough memory for these samples",
      hint: "keep them on disk with bonmf fit … --memory 2GB, or use fewer columns (--features) or rows (--sql)",
      code: "memory",
      exit: 1,
    };
  }
  return {
    message: `${message} (this is a bug in bonmf)`,
    hint: "set BONMF_DEBUG=1 for the stack trace, and report it",
    code: "internal",
    exit: 2,
  };
}
