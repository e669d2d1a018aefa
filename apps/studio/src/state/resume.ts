import { effect, untracked } from "@preact/signals";
import type { Item } from "../data/source.js";
import { leave, selectRun } from "./actions.js";
import { readAddress, writeAddress } from "./address.js";
import { during } from "./busy.js";
import { keepView, openNew, openStored } from "./open-project.js";
import { openFile } from "./project-file.js";
import { store } from "./store.js";

/** Restores the project of the address, or opens the files that `bonmf studio DATA` serves. */
export async function begin(): Promise<void> {
  const { open } = readAddress(location.hash);
  if (open !== null) {
    const items = await during("Fetching the data…", () => fetchItems(open));
    if (items?.length === 1 && /\.bonmf$/i.test(items[0].name)) await openFile(items[0]);
    else if (items) await openNew({ items });
  } else await goTo(location.hash);
  addEventListener("popstate", () => void goTo(location.hash));
  followPlace();
}

/** While an address is followed, or a project opened, nothing is written there. */
let following = false;

/** Shows the project, view and run of an address. */
async function goTo(hash: string): Promise<void> {
  const { project, tab, run, order } = readAddress(hash);
  following = true;
  try {
    if (project === null) {
      if (store.project.value) await leave();
      return;
    }
    if (store.project.value?.id !== project) {
      if (store.project.value) await leave();
      if (!(await openStored(project))) {
        store.notice.value = "The project of this address is not in this browser.";
        return;
      }
      store.order.value = { ...store.order.value, ...order };
    }
    store.tab.value = tab;
    if (run !== null && run !== store.current.value && store.runs.value.some(({ info }) => info.id === run)) {
      await selectRun(run);
    }
  } finally {
    following = false;
  }
}

/** Writes where the person is into the address; another project, view or run is a step to go back from. */
function followPlace(): void {
  let last = "";
  effect(() => {
    const { project, tab, current, order, busy } = store;
    const id = project.value?.id ?? null;
    const place = JSON.stringify([id, id && tab.value, id && current.value]);
    const hash = id === null ? location.pathname : writeAddress(id, tab.value, current.value, order.value);
    if (busy.value !== null) return;
    const stays = following || last === "" || place === last || isSame(hash);
    last = place;
    if (stays) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
    untracked(keepView);
  });
}

function isSame(hash: string): boolean {
  return location.hash === hash;
}

/** Files from the disk, through the server that serves this page. */
async function fetchItems(token: string): Promise<Item[]> {
  const base = `data/${encodeURIComponent(token)}/`;
  const list = await fetch(base);
  if (!list.ok) throw new Error("the data is no longer handed over: start bonmf studio DATA again");
  const files = (await list.json()) as { url: string; name: string; path: string | null }[];
  let read = 0;
  return Promise.all(
    files.map(async ({ url, name, path }) => {
      const response = await fetch(base + url);
      if (!response.ok) throw new Error(`${name} could not be read from the disk`);
      const blob = await response.blob();
      if (files.length > 1) store.reading.value = { read: ++read, total: files.length };
      return { name, ...(path !== null && { path }), blob };
    }),
  );
}
