import type { Choice } from "../data/choice.js";
import type { Item, Origin } from "../data/source.js";
import { during } from "./busy.js";
import { type ClusterEdits, noEdits } from "./cluster-edits.js";
import { present, record, redoable, step, undoable } from "./history.js";
import { join } from "./merge.js";
import { keep } from "./open-project.js";
import { keepPart, loadPart } from "./parts.js";
import type { KeptRun, Work } from "./project.js";
import { nameCluster, run, store } from "./store.js";
import { readSamples, showWork } from "./work.js";

/** Changes are made one after the other. */
let last: Promise<unknown> = Promise.resolve();

function inTurn(work: () => Promise<unknown>): Promise<unknown> {
  last = last.then(work, work);
  return last;
}

/** Makes a change that can be undone. What cannot be shown is refused, and nothing changes. */
export async function change(what: string, doing: string, make: (now: Work) => Work | Promise<Work>): Promise<void> {
  await inTurn(() =>
    during(doing, async () => {
      const { value: project } = store.project;
      if (!project) return;
      store.notice.value = null;
      const before = present(project.history);
      const next = await make(before);
      await showWork(next, before);
      await keep({ ...store.project.value!, history: record(project.history, what, next) });
    }),
  );
}

/** @param by −1 undoes, 1 redoes */
async function go(by: -1 | 1): Promise<void> {
  await inTurn(async () => {
    const { value: project } = store.project;
    const what = project && (by < 0 ? undoable : redoable)(project.history);
    if (!project || what === null || store.live.value) return;
    await during(by < 0 ? `Undoing ${what}…` : `Redoing ${what}…`, async () => {
      const history = step(project.history, by);
      await showWork(present(history), present(project.history));
      await keep({ ...project, history });
      store.notice.value = `${by < 0 ? "Undone" : "Redone"}: ${what}.`;
    });
  });
}

export const undo = () => go(-1);
export const redo = () => go(1);

/** Opens something else in this project, where undoing returns to what was there. */
export async function replaceOrigin(origin: Origin, what: string): Promise<void> {
  const { value: project } = store.project;
  if (!project) return;
  const { next } = project;
  await keepPart(project.id, next, origin);
  store.project.value = { ...project, next: next + 1 };
  await change(what, "Reading…", () => {
    refuseWhileFitting();
    return { origin: next, choice: null, runs: [] };
  });
}

/** Opens another sheet, or another table of an archive. */
export async function openPart(part: string): Promise<void> {
  const { value: project } = store.project;
  if (!project) return;
  const origin = await loadPart<Origin>(present(project.history).origin);
  if ("items" in origin) await replaceOrigin({ items: origin.items, part }, `opening ${part}`);
}

/** Adds files to those that are open. */
export async function addItems(origin: Origin): Promise<void> {
  const { value: project } = store.project;
  if (!project || "example" in origin) return;
  const now = await loadPart<Origin>(present(project.history).origin);
  if ("example" in now) return;
  await replaceOrigin({ ...now, items: [...now.items, ...origin.items] }, `adding ${origin.items[0].name}`);
}

/** Takes a file with vectors of the documents beside those that are open. */
export async function addVectors(vectors: Item): Promise<void> {
  const { value: project } = store.project;
  if (!project) return;
  const now = await loadPart<Origin>(present(project.history).origin);
  if ("example" in now) throw new Error("examples have no vectors of their own");
  const { next } = project;
  await keepPart(project.id, next, { ...now, vectors });
  store.project.value = { ...project, next: next + 1 };
  await change(`the vectors of ${vectors.name}`, "Reading vectors…", () => {
    refuseWhileFitting();
    return { origin: next, choice: { ...store.choice.value, vectors: vectors.name }, runs: [] };
  });
}

/** Reads the file in another way. Runs stay where the samples do: what is only shown otherwise takes nothing away. */
export async function choose(choice: Choice): Promise<void> {
  await change("the change of the reading", "Taking the columns…", async (now) => {
    refuseWhileFitting();
    const kept = await readSamples(choice);
    return { ...now, choice, runs: kept ? now.runs : [] };
  });
}

function refuseWhileFitting(): void {
  if (store.live.value) throw new Error("a fit is running: cancel it first");
}

function changeRun(work: Work, id: number, edits: Partial<ClusterEdits>): Work {
  return { ...work, runs: work.runs.map((one) => (one.id === id ? { ...one, ...edits } : one)) };
}

export async function renameCluster(cluster: number, name: string): Promise<void> {
  const { value: now } = run;
  if (!now || now.names[cluster] === name.trim()) return;
  const names = now.names.map((old, j) => (j === cluster ? name.trim() : old));
  await change(`the name of ${nameCluster(now.names, cluster)}`, "Renaming…", (work) =>
    changeRun(work, now.info.id, { names }),
  );
}

export async function mergeClusters(a: number, b: number): Promise<void> {
  const { value: now } = run;
  if (!now) return;
  const what = `the merge of ${nameCluster(now.names, a)} and ${nameCluster(now.names, b)}`;
  await change(what, "Merging…", (work) => changeRun(work, now.info.id, join(now.groups, now.names, a, b)));
}

/** Takes several sets of clusters together, in one step. */
export async function mergeSets(sets: readonly (readonly number[])[]): Promise<void> {
  const { value: now } = run;
  if (!now || sets.length === 0) return;
  await change("the merges of the tree", "Merging…", (work) => {
    let edits: ClusterEdits = now;
    for (const set of sets) {
      const [lowest, ...others] = [...set].sort((a, b) => a - b);
      for (const other of others) edits = join(edits.groups, edits.names, lowest, other);
    }
    return changeRun(work, now.info.id, { groups: edits.groups, names: edits.names });
  });
}

export async function resetClusters(): Promise<void> {
  const { value: now } = run;
  if (!now) return;
  await change("the removal of names and merges", "Splitting…", (work) =>
    changeRun(work, now.info.id, noEdits(now.info.counts.length)),
  );
}

/** @param model its file */
export async function addRun(kept: KeptRun, model: Uint8Array): Promise<void> {
  const { value: project } = store.project;
  if (!project) return;
  await keepPart(project.id, kept.id, model);
  await change(`run ${kept.id}`, "Looking at what was found…", (work) => ({ ...work, runs: [...work.runs, kept] }));
}

export async function removeRun(id: number): Promise<void> {
  await change(`the removal of run ${id}`, "Removing…", (work) => ({
    ...work,
    runs: work.runs.filter((one) => one.id !== id),
  }));
}
