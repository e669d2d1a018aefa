import { batch } from "@preact/signals";
import type { Origin } from "../data/source.js";
import { during } from "./busy.js";
import { present } from "./history.js";
import { forgetParts, keepPart, noteFull } from "./parts.js";
import { makeProject, type Project } from "./project.js";
import { storage } from "./storage.js";
import { store } from "./store.js";
import { forgetWork, showWork } from "./work.js";

let release: (() => void) | null = null;
/** Until a page that was reloaded has let go of its project. */
const PATIENCE_MS = 1500;

/** One page at a time: false where another one has the project open. */
async function claim(id: string): Promise<boolean> {
  release?.();
  release = null;
  if (!globalThis.navigator?.locks) return true;
  return new Promise((resolve) => {
    navigator.locks
      .request(`bonmf-studio/${id}`, { signal: AbortSignal.timeout(PATIENCE_MS) }, () => {
        resolve(true);
        return new Promise<void>((done) => {
          release = done;
        });
      })
      .catch(() => resolve(false));
  });
}

/** A new project of what was opened; where it cannot be read, what was shown stays. */
export async function openNew(origin: Origin): Promise<void> {
  const name = "example" in origin ? origin.example : (origin.items[0]?.name ?? "nothing");
  const doing = "example" in origin ? "Making the example…" : `Reading ${name}…`;
  await during(doing, async () => {
    const project = makeProject(name);
    await showWork(present(project.history), null, async <T>() => origin as T);
    forgetParts();
    await claim(project.id);
    await keepPart(project.id, 0, origin);
    await keep({ ...project, name: store.preview.value?.name ?? name });
  });
}

/** Opens a stored project; one that another page has open is copied, so that neither loses anything. */
export async function openStored(id: string): Promise<boolean> {
  const opened = await during("Coming back to where you were…", async () => {
    const stored = await storage.get(id).catch(() => undefined);
    if (!stored) return false;
    const project = (await claim(id)) ? stored : await copyProject(stored);
    forgetParts();
    await showProject(project);
    await storage.tidy(project);
    return true;
  });
  return opened ?? false;
}

/** @param given parts that are not stored yet */
export async function openGiven(project: Project, given: ReadonlyMap<number, unknown>): Promise<void> {
  await claim(project.id);
  forgetParts();
  for (const [part, value] of given) await keepPart(project.id, part, value);
  await showProject(project);
  await keep(project);
}

async function showProject(project: Project): Promise<void> {
  store.project.value = project;
  const { view, history } = project;
  store.current.value = view.run;
  await showWork(present(history), null);
  batch(() => {
    store.tab.value = view.tab;
    if (view.order) store.order.value = view.order;
  });
}

async function copyProject(project: Project): Promise<Project> {
  const { id } = makeProject(project.name);
  const copy = { ...project, id, name: `${project.name} (copy)`, changed: Date.now() };
  await storage.copy(project, copy);
  await claim(id);
  store.notice.value = "This project is open in another tab, so this is a copy of it.";
  return copy;
}

/** Stores where the person is. */
export function keepView(): void {
  const { project, tab, current, order } = store;
  if (!project.value) return;
  const view = { tab: tab.value, run: current.value, order: order.value };
  if (JSON.stringify(view) === JSON.stringify(project.value.view)) return;
  store.project.value = { ...project.value, view };
  void storage.put(store.project.value).catch(noteFull);
}

/** Stores the project as it is now. */
export async function keep(project: Project): Promise<void> {
  store.project.value = { ...project, changed: Date.now() };
  await storage.put(store.project.value).catch(noteFull);
}

/** Back to the start; the project stays in the list. */
export function leaveProject(): void {
  release?.();
  release = null;
  forgetParts();
  store.project.value = null;
  forgetWork();
}
