import { UserError } from "./errors.js";

/** The message and exit code of a failed command. */
export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  /** For programs: the library's code, or "user", "internal", "interrupted". */
  readonly code: string;
  readonly exit: number;
}

/** Errors of the operating system, not of the program. */
const REFUSALS = ["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EEXIST", "ENOSPC", "EROFS", "EMFILE", "EDQUOT"];

/** @param interrupted the exit code of the signal that stopped the command, 0 where there was none */
export async function describeFailure(error: unknown, interrupted: number): Promise<Failure> {
  const user = error instanceof UserError;
  const hint = user ? error.hint : undefined;
  if (interrupted !== 0) {
    return { message: user ? error.message : "stopped before the end", hint, code: "interrupted", exit: interrupted };
  }
  if (user) return { message: error.message, hint, code: "user", exit: 1 };
  const message = error instanceof Error ? error.message : String(error);
  const { BonmfError, OptionError } = await import("bonmf");
  if (error instanceof BonmfError) {
    const flag =
      error instanceof OptionError ? `--${error.option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}` : "";
    return { message, hint: flag === "" ? undefined : `change ${flag}`, code: error.code, exit: 1 };
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string" && REFUSALS.includes(code)) return { message, hint: undefined, code: "user", exit: 1 };
  if (error instanceof RangeError && /allocation failed|Invalid typed array length/.test(message)) {
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
