import { effect } from "@preact/signals";
import type { Choice } from "../data/choice.js";
import type { Item } from "../data/source.js";
import type { Order } from "../session/protocol.js";
import { ask, during, type Kept, openSource, prepare, selectRun, show } from "./actions.js";
import { readAddress, writeAddress } from "./address.js";
import { loadEdits } from "./cluster-edits.js";
import { session } from "./session.js";
import { storage } from "./storage.js";
import { FIRST_ORDER, store } from "./store.js";

interface KeptRun {
  readonly order: Order;
  readonly bytes: Uint8Array;
  readonly seconds: number;
}

/** Restores the last state, or opens the files that `bonmf studio DATA` serves. */
export async function begin(): Promise<void> {
  const address = readAddress(location.hash);
  if (address.open !== null) {
    const items = await during("Fetching the data…", () => fetchItems(address.open ?? ""));
    if (items) await openSource({ items });
  } else await restore();
  effect(() => {
    const { tab, current, order, summary } = store;
    const hash = summary.value ? writeAddress(tab.value, current.value, order.value) : "";
    history.replaceState(null, "", hash || location.pathname);
  });
}

async function restore(): Promise<void> {
  const source = await storage.get<Kept>("source").catch(() => undefined);
  if (!source) return;
  const { tab, run, order } = readAddress(location.hash);
  await during("Coming back to where you were…", async () => {
    const preview = await ask(source);
    show(preview);
    const choice = (await storage.get<Choice>("choice")) ?? preview.choice;
    await prepare(choice, FIRST_ORDER);
    store.order.value = { ...store.order.value, ...order };
    const keys = (await storage.keys()).filter((key) => key.startsWith("run:"));
    for (const id of keys.map((key) => Number(key.slice(4))).sort((a, b) => a - b)) await restoreRun(id);
    store.tab.value = tab;
  });
  const last = store.runs.value.find(({ info }) => info.id === run) ?? store.runs.value.at(-1);
  if (last) await selectRun(last.info.id);
}

async function restoreRun(id: number): Promise<void> {
  const kept = await storage.get<KeptRun>(`run:${id}`);
  if (!kept) return;
  const info = await session.restore(id, kept.order, kept.bytes);
  const edits = loadEdits(id, info.counts.length);
  store.runs.value = [...store.runs.value, { info: { ...info, seconds: kept.seconds }, ...edits }];
}

/** Files from the disk, through the server that serves this page. */
async function fetchItems(token: string): Promise<Item[]> {
  const base = `data/${encodeURIComponent(token)}/`;
  const list = await fetch(base);
  if (!list.ok) throw new Error("the data is no longer handed over: start bonmf studio DATA again");
  const files = (await list.json()) as { url: string; name: string; path: string | null }[];
  return Promise.all(
    files.map(async ({ url, name, path }) => {
      const response = await fetch(base + url);
      if (!response.ok) throw new Error(`${name} could not be read from the disk`);
      return { name, ...(path !== null && { path }), blob: await response.blob() };
    }),
  );
}
