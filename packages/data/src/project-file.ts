import { UserError } from "./errors.js";
import { listEntries, type ZipCodec } from "./zip.js";
import { type StoredFile, storeFiles } from "./zip-writer.js";

/** A project of the studio as one file (.bonmf): data, runs, names, merges and where the person was. */
export interface ProjectFile {
  readonly name: string;
  readonly data: ProjectData;
  /** How the data is read, in the words of the studio; null: as the file itself says. */
  readonly choice: unknown;
  readonly runs: readonly ProjectRun[];
  /** Where the person was, in the words of the studio. */
  readonly view: unknown;
  /** The run that was shown. */
  readonly current: number | null;
}

export type ProjectData =
  | { readonly example: string }
  | {
      /** The sheet or archive member that is open. */
      readonly part: { readonly what: "sheet" | "member"; readonly name: string } | null;
      readonly files: readonly ProjectSource[];
      /** Vectors of the documents. */
      readonly vectors?: ProjectSource | undefined;
    };

/** A file of samples; without bytes the project only refers to it. */
export interface ProjectSource {
  readonly name: string;
  /** Its place inside a folder. */
  readonly path: string | null;
  readonly size: number;
  /** CRC-32. */
  readonly checksum: number;
  readonly bytes: Uint8Array | null;
}

export interface ProjectRun {
  readonly id: number;
  /** The settings of the fit, in the words of the studio. */
  readonly order: unknown;
  readonly seconds: number;
  /** For each cluster the lowest of those it is merged with. */
  readonly groups: readonly number[];
  /** One a cluster, "" for none. */
  readonly names: readonly string[];
  /** A model file. */
  readonly model: Uint8Array;
}

const HEAD = "bonmf-project.json";
const VERSION = 1;

/** Whether the first bytes are those of a project. */
export function isProject(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 30 + HEAD.length));
  return start.startsWith("PK\x03\x04") && start.endsWith(HEAD);
}

/** The parts of the file, one after the other: a ZIP archive whose members are stored as they are. */
export function writeProject(project: ProjectFile, codec: Pick<ZipCodec, "crc32">): Uint8Array<ArrayBuffer>[] {
  const { data, runs, ...rest } = project;
  const files = "files" in data ? data.files : [];
  const vectors = "files" in data ? data.vectors : undefined;
  const refer = ({ bytes, ...file }: ProjectSource) => ({ ...file, included: bytes !== null });
  const about = {
    bonmf: VERSION,
    ...rest,
    data:
      "files" in data
        ? { part: data.part, files: files.map(refer), ...(vectors && { vectors: refer(vectors) }) }
        : data,
    runs: runs.map(({ model: _, ...run }) => run),
  };
  const members: StoredFile[] = [
    { name: HEAD, bytes: new TextEncoder().encode(`${JSON.stringify(about, null, 1)}\n`) },
    ...runs.map(({ id, model }) => ({ name: nameRun(id), bytes: model })),
    ...files.flatMap(({ bytes }, i) => (bytes ? [{ name: nameData(i), bytes }] : [])),
    ...(vectors?.bytes ? [{ name: VECTORS, bytes: vectors.bytes }] : []),
  ];
  return storeFiles(members, codec);
}

const nameRun = (id: number) => `runs/${id}.safetensors`;
const nameData = (i: number) => `data/${i}`;
const VECTORS = "data/vectors";

/** @param name of the file, for messages */
export async function readProject(bytes: Uint8Array, name: string, codec: ZipCodec): Promise<ProjectFile> {
  const entries = new Map(listEntries(bytes, name, codec).map((entry) => [entry.name, entry]));
  const fail = (what: string) => new UserError(`${name} is damaged: ${what}`, "save the project again");
  const read = async (member: string) => {
    const entry = entries.get(member);
    if (!entry) throw fail(`${member} is missing`);
    return entry.read();
  };
  const about = parse(new TextDecoder().decode(await read(HEAD)), fail);
  if (about.bonmf !== VERSION) {
    throw new UserError(`${name} was saved by a later version of bonmf`, "update bonmf to open it");
  }
  const runs: ProjectRun[] = [];
  for (const run of list(about.runs, "runs", fail))
    runs.push({ ...checkRun(run, fail), model: await read(nameRun(Number(run.id))) });
  const { current } = about;
  if (current !== null && !runs.some(({ id }) => id === current)) throw fail("the run that was shown is missing");
  return {
    name: text(about.name, "name", fail),
    data: await readData(record(about.data, "data", fail), read, fail),
    choice: about.choice ?? null,
    runs,
    view: about.view ?? null,
    current: current as number | null,
  };
}

type Fail = (what: string) => UserError;
type Json = Readonly<Record<string, unknown>>;

function parse(content: string, fail: Fail): Json {
  try {
    return record(JSON.parse(content), HEAD, fail);
  } catch (error) {
    throw error instanceof UserError ? error : fail(`${HEAD} is no JSON`);
  }
}

function record(value: unknown, what: string, fail: Fail): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail(`${what} is no object`);
  return value as Json;
}

function list(value: unknown, what: string, fail: Fail): Json[] {
  if (!Array.isArray(value)) throw fail(`${what} is no list`);
  return value.map((one) => record(one, what, fail));
}

function text(value: unknown, what: string, fail: Fail): string {
  if (typeof value !== "string") throw fail(`${what} is no text`);
  return value;
}

function count(value: unknown, what: string, fail: Fail): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw fail(`${what} is no whole number`);
  return value as number;
}

function checkRun({ id, order, seconds, groups, names }: Json, fail: Fail): Omit<ProjectRun, "model"> {
  const lowest = (all: unknown): all is number[] =>
    Array.isArray(all) && all.every((g, j) => Number.isInteger(g) && g >= 0 && g <= j && all[g] === g);
  if (!lowest(groups)) throw fail(`the merges of run ${id} make no sense`);
  if (!Array.isArray(names) || names.length !== groups.length || names.some((one) => typeof one !== "string")) {
    throw fail(`the names of run ${id} are not as many as its clusters`);
  }
  if (typeof seconds !== "number") throw fail(`the time of run ${id} is no number`);
  return { id: count(id, "the number of a run", fail), order, seconds, groups, names };
}

async function readData(data: Json, read: (member: string) => Promise<Uint8Array>, fail: Fail): Promise<ProjectData> {
  if (typeof data.example === "string") return { example: data.example };
  const refer = async (file: Json, member: string): Promise<ProjectSource> => ({
    name: text(file.name, "the name of a file", fail),
    path: file.path === null ? null : text(file.path, "the path of a file", fail),
    size: count(file.size, "the size of a file", fail),
    checksum: count(file.checksum, "the checksum of a file", fail),
    bytes: file.included === true ? await read(member) : null,
  });
  const files: ProjectSource[] = [];
  for (const [i, file] of list(data.files, "data.files", fail).entries()) files.push(await refer(file, nameData(i)));
  const given = data.vectors === undefined ? undefined : record(data.vectors, "data.vectors", fail);
  const all = { files, ...(given && { vectors: await refer(given, VECTORS) }) };
  if (data.part === null) return { part: null, ...all };
  const { what, name } = record(data.part, "data.part", fail);
  if (what !== "sheet" && what !== "member") throw fail("data.part is neither sheet nor member");
  return { part: { what, name: text(name, "data.part", fail) }, ...all };
}

/** Whether a file is the one that a project refers to. */
export function isReferred(
  { size, checksum }: ProjectSource,
  bytes: Uint8Array,
  codec: Pick<ZipCodec, "crc32">,
): boolean {
  return bytes.length === size && codec.crc32(bytes) === checksum;
}
