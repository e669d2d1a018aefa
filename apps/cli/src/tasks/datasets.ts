import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Call } from "../command.js";
import { DATASETS, lookUp, nameOf } from "../datasets/catalogue.js";
import type { Dataset } from "../datasets/entry.js";
import { cacheFolder, findDataset, findFile, openmlId } from "../datasets/find.js";
import { type FetchedFile, getDataset } from "../datasets/get.js";
import { UserError } from "../errors.js";
import { bytes, count, table } from "../show/text.js";

type Action = (call: Call, names: readonly string[]) => Promise<void>;

const actions = new Map(Object.entries<Action>({ list, get, path: printPath, clear }));

export async function run(call: Call): Promise<void> {
  const [name = "list", ...names] = call.args;
  const action = actions.get(name);
  if (action === undefined) {
    throw new UserError(
      `bonmf datasets has no ${JSON.stringify(name)}`,
      `choose ${[...actions.keys()].join(", ")}; bonmf datasets get NAME fetches one`,
    );
  }
  await action(call, names);
}

async function list({ terminal }: Call): Promise<void> {
  if (terminal.json) {
    terminal.out(JSON.stringify({ datasets: DATASETS.map(describe) }));
    return;
  }
  const { good, dim, bold } = terminal.style;
  const columns = [
    { title: "name" },
    { title: "samples", right: true },
    { title: "features", right: true },
    { title: "classes", right: true },
    { title: "size", right: true },
    { title: "here" },
    { title: "what" },
  ];
  const rows = DATASETS.map((dataset) => {
    const [main] = dataset.files;
    const here = dataset.files.filter((file) => findFile(file.path) !== null).length;
    const state =
      here === 0 ? dim("–") : here === dataset.files.length ? good("yes") : `${here} of ${dataset.files.length}`;
    return [
      bold(dataset.name),
      count(main.rows),
      count(main.features ?? 0),
      count(main.classes ?? 0),
      bytes(dataset.files.reduce((sum, file) => sum + file.bytes, 0)),
      state,
      dataset.title + (dataset.paper ? dim(" · paper") : ""),
    ];
  });
  terminal.out(table(columns, rows, terminal.style));
  terminal.note("bonmf datasets get NAME downloads one; then use @NAME in place of a file");
}

function describe({ name, title, credit, licence, paper, files }: Dataset) {
  return {
    name,
    title,
    credit,
    licence,
    paper,
    files: files.map((file) => ({
      name: nameOf(file),
      rows: file.rows,
      features: file.features ?? null,
      classes: file.classes ?? null,
      bytes: file.bytes,
      sha256: file.sha256,
      addresses: file.origin.parts.flatMap((part) => part.urls),
      openml: file.origin.openml ?? null,
      path: findFile(file.path),
    })),
  };
}

async function get({ terminal, signal }: Call, names: readonly string[]): Promise<void> {
  if (names.length === 0) throw new UserError("get needs a name", "bonmf datasets lists them");
  // A wrong name is reported before anything is fetched.
  for (const name of names) if (openmlId(name) === null) lookUp(name);
  const results: { name: string; files: FetchedFile[] }[] = [];
  for (const name of names) {
    const progress = terminal.progress(name);
    try {
      const onProgress = (what: string, done: number, total: number | null) =>
        progress.update(done, total, "bytes", what);
      results.push({ name, files: await getDataset(name, { signal, onProgress }) });
    } finally {
      progress.end();
    }
    if (!terminal.json) say(results.at(-1)!, terminal);
  }
  if (terminal.json) terminal.out(JSON.stringify({ datasets: results }));
}

function say({ name, files }: { name: string; files: readonly FetchedFile[] }, terminal: Call["terminal"]): void {
  for (const { path, verified } of files) {
    terminal.data(`${path}\n`);
    if (verified === "shape") {
      terminal.note(`${path} has the right shape but other content than in the docs: results may differ slightly`);
    }
  }
  if (openmlId(name) === null) {
    const { dataset } = lookUp(name);
    terminal.note(`${dataset.title}; credit: ${dataset.credit}; licence: ${dataset.licence}`);
  }
  if (files.every((file) => file.cached)) terminal.note(`${name} was here already`);
}

async function printPath({ terminal }: Call, names: readonly string[]): Promise<void> {
  if (names.length !== 1) throw new UserError("path needs one name", "bonmf datasets lists them");
  const path = findDataset(names[0]);
  if (path === null)
    throw new UserError(`the dataset ${names[0]} is not on this machine`, `bonmf datasets get ${names[0]}`);
  if (terminal.json) terminal.out(JSON.stringify({ name: names[0], path }));
  else terminal.data(`${path}\n`);
}

/** Only the cache: what BONMF_DATA_DIR names is the user's own. */
async function clear({ terminal }: Call, names: readonly string[]): Promise<void> {
  if (names.length > 0) throw new UserError("clear takes no names: it empties the whole cache");
  const folder = join(cacheFolder(), "datasets");
  await rm(folder, { recursive: true, force: true });
  terminal.out(terminal.json ? JSON.stringify({ cleared: folder }) : `cleared ${folder}`);
}
