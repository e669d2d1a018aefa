import { randomUUID } from "node:crypto";
import type { RecordBatch, Table } from "apache-arrow";
import { parseAddress } from "./address.js";
import { decodeBatches, encodeTable, readRows } from "./arrow.js";
import { addArtifact, cacheArtifact } from "./artifact.js";
import { readColumns } from "./columns.js";
import { SparkError } from "./error.js";
import { drain, execute, executeBatches } from "./execution.js";
import { Link, type LinkOptions } from "./link.js";
import { ANALYZE, CONFIG, INTERRUPT, INTERRUPT_ALL, LEAVE, LocalRelation, type Relation } from "./messages.js";
import { makeQuery } from "./query.js";
import type { Column, ConnectOptions, QueryOptions, Row, Session, SignalOption } from "./session.js";

const PATIENCE_MS = 120_000;
const GREETING_MS = 60_000;
const FAREWELL_MS = 10_000;
/** Larger tables go in pieces: a server takes messages of up to 128 MB. */
const LARGEST_INLINE = 64 << 20;

/**
 * Opens a session on a Spark Connect server: `sc://host:15002/;token=…;use_ssl=true;user_id=…`.
 *
 * @throws {@link SparkError} with code `address`, `unreachable`, `unauthenticated` or `tls`
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Session> {
  const address = parseAddress(url);
  const link = new Link(address, address.sessionId ?? randomUUID(), options.patience ?? PATIENCE_MS);
  const client = new Client(link);
  try {
    await client.greet({ signal: options.signal, patience: 0, within: GREETING_MS });
    return client;
  } catch (error) {
    link.close();
    throw error;
  }
}

class Client implements Session {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  get id(): string {
    return this.#link.sessionId;
  }

  get serverId(): string {
    return this.#link.serverId ?? "";
  }

  async greet(options: LinkOptions): Promise<string> {
    const { sparkVersion } = await this.#link.ask(ANALYZE, { sparkVersion: {} }, options);
    return sparkVersion?.version ?? "";
  }

  async *sql(query: string, { args, signal }: QueryOptions = {}): AsyncGenerator<RecordBatch, void, void> {
    for await (const { data, rows } of executeBatches(this.#link, { root: makeQuery(query, args) }, signal)) {
      let read = 0;
      for (const batch of decodeBatches(data)) {
        read += batch.numRows;
        yield batch;
      }
      if (read !== rows) throw new SparkError("protocol", `the server announced ${rows} rows and sent ${read}`);
    }
  }

  async collect(query: string, options?: QueryOptions): Promise<Row[]> {
    const parts: Row[][] = [];
    for await (const batch of this.sql(query, options)) parts.push(readRows(batch));
    return parts.flat();
  }

  async run(query: string, { args, signal }: QueryOptions = {}): Promise<void> {
    await drain(this.#link, { command: { sqlCommand: { input: makeQuery(query, args) } } }, signal);
  }

  async schema(query: string, { args, signal }: QueryOptions = {}): Promise<Column[]> {
    const answer = await this.#link.ask(ANALYZE, { schema: { plan: { root: makeQuery(query, args) } } }, { signal });
    return readColumns(answer.schema?.schema ?? {});
  }

  async uploadView(name: string, table: Table, { signal }: SignalOption = {}): Promise<void> {
    const input = await this.#upload(encodeTable(table), { signal });
    await this.#nameView(input, name, signal);
  }

  async pinView(name: string, query: string, { args, signal }: QueryOptions = {}): Promise<void> {
    const plan = { command: { checkpointCommand: { relation: makeQuery(query, args), local: true, eager: true } } };
    let input: Relation | undefined;
    for await (const { checkpointCommandResult } of execute(this.#link, plan, signal))
      if (checkpointCommandResult) input = { cachedRemoteRelation: checkpointCommandResult.relation };
    if (input === undefined) throw new SparkError("protocol", "the server did not say where it keeps the rows");
    await this.#nameView(input, name, signal);
  }

  async addFile(name: string, bytes: Uint8Array, { signal }: SignalOption = {}): Promise<string> {
    await addArtifact(this.#link, `files/${name}`, bytes, { signal });
    return `./${this.serverId}/${name}`;
  }

  async config(key: string, value?: string): Promise<string | undefined> {
    const operation = value === undefined ? { getOption: { keys: [key] } } : { set: { pairs: [{ key, value }] } };
    const { pairs = [] } = await this.#link.ask(CONFIG, { operation });
    return value ?? pairs[0]?.value;
  }

  version(): Promise<string> {
    return this.greet({});
  }

  async interrupt(): Promise<void> {
    await this.#link.ask(INTERRUPT, { interruptType: INTERRUPT_ALL });
  }

  async close(): Promise<void> {
    try {
      await this.#link.ask(LEAVE, {}, { patience: 0, within: FAREWELL_MS });
    } catch {
      // Gone already, or out of reach: the server drops idle sessions by itself.
    } finally {
      this.#link.close();
    }
  }

  async #nameView(input: Relation, name: string, signal: AbortSignal | undefined): Promise<void> {
    await drain(this.#link, { command: { createDataframeView: { input, name, replace: true } } }, signal);
  }

  async #upload(data: Uint8Array, options: LinkOptions): Promise<Relation> {
    if (data.length <= LARGEST_INLINE) return { localRelation: { data } };
    return { cachedLocalRelation: { hash: await cacheArtifact(this.#link, LocalRelation.encode({ data }), options) } };
  }
}
