import type { RecordBatch, Table } from "apache-arrow";

/** A value for a `?` or `:name` in a query. Whole numbers become INT or BIGINT, others DOUBLE. */
export type Parameter = null | boolean | number | bigint | string | Uint8Array;

export interface QueryOptions {
  /** Values for `?` (an array) or for `:name` (an object). */
  args?: readonly Parameter[] | Readonly<Record<string, Parameter>>;
  /** Aborting interrupts the query on the server; what was asked for rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface SignalOption {
  signal?: AbortSignal;
}

export interface ConnectOptions extends SignalOption {
  /** Milliseconds to go on trying when the server is away in the middle of a session; by default 120,000. */
  patience?: number;
}

/** One column of a query's result: its Spark type as SQL writes it, `array<double>` or `struct<a:int,b:string>`. */
export interface Column {
  name: string;
  type: string;
  nullable: boolean;
}

/** A row as a plain object. BIGINT is a bigint, DECIMAL a string, DATE and TIMESTAMP a Date, arrays and structs plain. */
export type Row = Record<string, unknown>;

/** One session on a Spark Connect server: its temporary views, files and settings are its own. */
export interface Session {
  readonly id: string;
  /** The server's own name for it. */
  readonly serverId: string;
  /** Runs a query and streams its result; nothing is sent before the first batch is asked for. */
  sql(query: string, options?: QueryOptions): AsyncIterable<RecordBatch>;
  /** Runs a query and returns all its rows. */
  collect(query: string, options?: QueryOptions): Promise<Row[]>;
  /** Runs a statement for what it does: CREATE, INSERT, SET, CACHE … */
  run(query: string, options?: QueryOptions): Promise<void>;
  /** The columns of a query, which is not run; a statement is, for Spark cannot analyse one otherwise. */
  schema(query: string, options?: QueryOptions): Promise<Column[]>;
  /** Makes a temporary view (replacing one of that name) of a table that lies in this process. */
  uploadView(name: string, table: Table, options?: SignalOption): Promise<void>;
  /**
   * Makes a temporary view of a query's rows as they are now. They stay where they were made, without how: queries on them
   * are planned and sent in less time, but fail once an executor that holds some is lost.
   */
  pinView(name: string, query: string, options?: QueryOptions): Promise<void>;
  /**
   * Sends a file to every executor and returns its path for a script there (`TRANSFORM … USING`). A name that was used
   * keeps its bytes: Spark refuses others.
   */
  addFile(name: string, bytes: Uint8Array, options?: SignalOption): Promise<string>;
  /** The value of a setting of this session, where it has one; with a value: sets it first. */
  config(key: string, value?: string): Promise<string | undefined>;
  /** The version of Spark on the server. */
  version(): Promise<string>;
  /** Interrupts everything that runs in this session. */
  interrupt(): Promise<void>;
  /** Interrupts what runs, gives the session back to the server and closes the connection. */
  close(): Promise<void>;
}
