/** Files, choices and runs in IndexedDB, so that a reload loses nothing. */
const STORE = "kept";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("bonmf-studio", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database cannot be used"));
  });
}

async function ask<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = use(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("the browser has no room left"));
    });
  } finally {
    database.close();
  }
}

export const storage = {
  get: <T>(key: string): Promise<T | undefined> =>
    ask("readonly", (store) => store.get(key) as IDBRequest<T | undefined>),
  put: (key: string, value: unknown): Promise<unknown> => ask("readwrite", (store) => store.put(value, key)),
  remove: (key: string): Promise<unknown> => ask("readwrite", (store) => store.delete(key)),
  clear: (): Promise<unknown> => ask("readwrite", (store) => store.clear()),
  keys: async (): Promise<string[]> => (await ask("readonly", (store) => store.getAllKeys())).map(String),
};
