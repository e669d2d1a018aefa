import { listParts, type Project } from "./project.js";

/** Projects in IndexedDB. Their parts, files and models, are stored apart, because they never change. */
const PROJECTS = "projects";
const PARTS = "parts";

let opened: Promise<IDBDatabase> | null = null;

/** One connection: a write is on its way before its caller goes on, and a reload right after it loses nothing. */
function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("bonmf-studio", 2);
    request.onupgradeneeded = () => {
      for (const name of [...request.result.objectStoreNames]) request.result.deleteObjectStore(name);
      request.result.createObjectStore(PROJECTS, { keyPath: "id" });
      request.result.createObjectStore(PARTS);
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("the browser's database cannot be used"));
  });
  return opened;
}

async function ask<T>(
  name: string,
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  return new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const request = use(transaction.objectStore(name));
    if (mode === "readwrite") transaction.commit();
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser has no room left"));
  });
}

const keyOf = (project: string, part: number) => `${project}/${part}`;

export const storage = {
  list: (): Promise<Project[]> => ask(PROJECTS, "readonly", (store) => store.getAll() as IDBRequest<Project[]>),
  get: (id: string): Promise<Project | undefined> =>
    ask(PROJECTS, "readonly", (store) => store.get(id) as IDBRequest<Project | undefined>),
  put: (project: Project): Promise<unknown> => ask(PROJECTS, "readwrite", (store) => store.put(project)),
  getPart: <T>(id: string, part: number): Promise<T | undefined> =>
    ask(PARTS, "readonly", (store) => store.get(keyOf(id, part)) as IDBRequest<T | undefined>),
  putPart: (id: string, part: number, value: unknown): Promise<unknown> =>
    ask(PARTS, "readwrite", (store) => store.put(value, keyOf(id, part))),
  async remove(id: string): Promise<void> {
    await ask(PROJECTS, "readwrite", (store) => store.delete(id));
    await ask(PARTS, "readwrite", (store) => store.delete(IDBKeyRange.bound(`${id}/`, `${id}0`)));
  },
  /** Deletes parts that the history has forgotten. */
  async tidy(project: Project): Promise<void> {
    const needed = listParts(project);
    const range = IDBKeyRange.bound(`${project.id}/`, `${project.id}0`);
    for (const key of await ask(PARTS, "readonly", (store) => store.getAllKeys(range))) {
      const part = Number(String(key).slice(project.id.length + 1));
      if (!needed.has(part)) await ask(PARTS, "readwrite", (store) => store.delete(key));
    }
  },
  /** Copies a project with its parts. */
  async copy(project: Project, copy: Project): Promise<void> {
    for (const part of listParts(project)) {
      await storage.putPart(copy.id, part, await storage.getPart(project.id, part));
    }
    await storage.put(copy);
  },
};
