/** One option of a command; parsing, --help and shell completion use it. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Absent: a flag. */
  readonly value?: string;
  /** For completion and for checking. */
  readonly choices?: readonly string[];
  readonly type?: "string" | "integer" | "number" | "list";
  /** Words that may stand for a number. */
  readonly words?: readonly string[];
  readonly multiple?: boolean;
  /** One line, what it does and its default. */
  readonly help: string;
  /** Another option that must be given too, why, and what may have been meant. */
  readonly needs?: { readonly option: string; readonly why: string; readonly hint?: string };
  /** --help shows options under these headings, in the order they appear. */
  readonly group?: string;
}

export interface Example {
  readonly command: string;
  readonly note: string;
}

export interface Command {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** Positional arguments, as in "DATA…" or "MODEL DATA". */
  readonly usage: string;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  run(call: Call): Promise<void>;
}

/** The input of a command. Commands write only to these streams, and throw; `main` turns errors into exit codes. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Parsed values by option name: string, number, boolean, or a list of strings. */
export interface Options {
  string(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean;
  list(name: string): string[] | undefined;
}

/** The two streams, and what they can show. Control characters in `out` and `note` become visible escapes. */
export interface Terminal {
  /** Results, for people or, with --json, for programs. */
  out(text: string): void;
  /** Lines for other programs, as they are; on a terminal like `out`. */
  data(text: string): void;
  /** Progress and notes; goes to stderr. */
  note(text: string): void;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Colours for stdout; each returns its text unchanged where there are none. */
  readonly style: Style;
  readonly width: number;
  /** A progress line on stderr; silent where stderr is no terminal. */
  progress(title: string): Progress;
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  accent(text: string): string;
}

export interface Progress {
  /**
   * @param total null where the end is not known
   * @param unit of `done`; "share" where it is a share of 1, which has no other name
   */
  update(done: number, total: number | null, unit: string, more?: string): void;
  /** Erases the line. */
  end(): void;
}
