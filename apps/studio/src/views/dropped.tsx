import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Item } from "../data/source.js";
import { cancelFit } from "../state/actions.js";
import { during } from "../state/busy.js";
import { addItems, replaceOrigin } from "../state/edit.js";
import { openNew } from "../state/open-project.js";
import { openFile, wanting } from "../state/project-file.js";
import { session } from "../state/session.js";
import { nameRun, run, store } from "../state/store.js";
import { saveFile } from "./save.js";

/** Files that were dropped while others are open, until the person says where they belong. */
const dropped = signal<readonly Item[] | null>(null);

export async function takeItems(items: readonly Item[]): Promise<void> {
  const [first] = items;
  if (items.length === 1 && /\.bonmf$/i.test(first.name)) await openFile(first);
  else if (wanting.value) await openFile(wanting.value.item, items);
  else if (store.project.value) dropped.value = items;
  else await openNew({ items });
}

function forget(): void {
  dropped.value = null;
}

/** Asks what dropped files are for. */
export function Dropped() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { value: items } = dropped;
  useEffect(() => {
    // Closing is announced later, when other files may have come: only the signal says what is asked.
    dialog.current?.close();
    if (items) dialog.current?.showModal();
  }, [items]);
  const { value: now } = run;
  const name = items?.[0]?.name ?? "";
  const more = (items?.length ?? 0) > 1 ? ` and ${(items?.length ?? 0) - 1} more` : "";
  const take = (work: (items: readonly Item[]) => Promise<void>) => () => {
    dropped.value = null;
    if (!items) return;
    void (store.live.value ? cancelFit() : Promise.resolve()).then(() => work(items));
  };
  return (
    <dialog ref={dialog} class="dropped" aria-labelledby="dropped-title" onCancel={forget}>
      <h2 id="dropped-title">
        Where does {name}
        {more} belong?
      </h2>
      <div class="answers">
        {now && (
          <button type="button" class="button" onClick={take((files) => classifyFile(now.info.id, files))}>
            Classify it with {nameRun(now.info)}
          </button>
        )}
        <button type="button" class="button" onClick={take((files) => openNew({ items: files }))}>
          Open it as a project of its own
        </button>
        <button
          type="button"
          class="button"
          onClick={take((files) => replaceOrigin({ items: files }, `opening ${name}`))}
        >
          Open it here instead
        </button>
        {!store.example.value && (
          <button type="button" class="button" onClick={take((files) => addItems({ items: files }))}>
            Add it to the samples
          </button>
        )}
        <button type="button" class="quiet" onClick={forget}>
          Nowhere
        </button>
      </div>
    </dialog>
  );
}

async function classifyFile(id: number, items: readonly Item[]): Promise<void> {
  await during(`Classifying ${items[0].name}…`, async () => {
    const { csv, samples } = await session.classifyFile(id, items);
    const name = `${items[0].name.replace(/(\.\w+)+$/, "")}-clusters.csv`;
    saveFile(name, [csv], "text/csv");
    store.notice.value = `${samples.toLocaleString("en")} samples of ${items[0].name} were classified: saved as ${name}.`;
  });
}
