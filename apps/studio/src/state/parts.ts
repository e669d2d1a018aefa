import { storage } from "./storage.js";
import { store } from "./store.js";

/** The parts of the open project that this page has seen: they are here even where the browser stores nothing. */
const parts = new Map<number, unknown>();

/** Another project will be open. */
export function forgetParts(): void {
  parts.clear();
}

/** Keeps a file or a model; what has no room in the browser stays usable until the page is closed. */
export async function keepPart(project: string, part: number, value: unknown): Promise<void> {
  parts.set(part, value);
  await storage.putPart(project, part, value).catch(noteFull);
}

export async function loadPart<T>(part: number): Promise<T> {
  const { value: project } = store.project;
  const value = parts.get(part) ?? (project && (await storage.getPart<T>(project.id, part)));
  if (value === undefined || value === null) throw new Error("the browser has deleted a part of this project");
  parts.set(part, value);
  return value as T;
}

export function noteFull(): void {
  store.notice.value = "The browser has no room to keep this: save the project as a file before you close the page.";
}
