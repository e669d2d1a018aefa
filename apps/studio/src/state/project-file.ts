import { signal } from "@preact/signals";
import type { Packed } from "../data/project-file.js";
import type { Item, Origin } from "../data/source.js";
import type { Order } from "../session/protocol.js";
import { readAddress, TABS, writeAddress } from "./address.js";
import { during } from "./busy.js";
import { beginHistory, present } from "./history.js";
import { openGiven } from "./open-project.js";
import { loadPart } from "./parts.js";
import { makeProject, type Project, type View } from "./project.js";
import { session } from "./session.js";
import { FIRST_ORDER, store } from "./store.js";

/** A project file that refers to files which are not there yet. */
export const wanting = signal<{ readonly item: Item; readonly missing: readonly string[] } | null>(null);

/** @param included whether the data goes into the file */
export async function packOpen(included: boolean): Promise<Blob> {
  const { value: project } = store.project;
  if (!project) throw new Error("no project is open");
  const { origin, choice, runs } = present(project.history);
  const { tab, current, order } = store;
  return session.pack(
    {
      name: project.name,
      origin: await loadPart<Origin>(origin),
      choice,
      runs: await Promise.all(runs.map(async (run) => ({ ...run, model: await loadPart<Uint8Array>(run.id) }))),
      view: { tab: tab.value, order: order.value },
      current: current.value,
    },
    included,
  );
}

/** @param given files that it may refer to */
export async function openFile(item: Item, given: readonly Item[] = []): Promise<void> {
  await during(`Opening ${item.name}…`, async () => {
    const { packed, missing } = await session.unpack(item, given);
    wanting.value = packed ? null : { item, missing };
    if (packed) {
      const parts = new Map<number, unknown>([[0, packed.origin]]);
      for (const { id, model } of packed.runs) parts.set(id, model);
      await openGiven(toProject(packed, item.name), parts);
    } else if (given.length > 0) throw new Error(`${given[0].name} is not the file that the project was saved with`);
  });
}

function toProject({ name, choice, runs, view, current }: Packed, file: string): Project {
  const kept = runs.map(({ model: _, order, ...run }) => ({ ...run, order: checkOrder(order) }));
  return {
    ...makeProject(name),
    history: beginHistory(`opening ${file}`, { origin: 0, choice, runs: kept }),
    next: Math.max(0, ...kept.map(({ id }) => id)) + 1,
    view: { ...checkView(view), run: current },
  };
}

/** Settings from a file are checked as those from an address are. */
function checkOrder(given: unknown): Order {
  const order = { ...FIRST_ORDER, ...(typeof given === "object" ? given : {}) };
  return { ...FIRST_ORDER, pace: 0, ...readAddress(writeAddress("", "data", null, order)).order };
}

function checkView(given: unknown): Omit<View, "run"> {
  const { tab, order } = (typeof given === "object" && given !== null ? given : {}) as Partial<View>;
  return { tab: TABS.find((one) => one === tab) ?? "data", order: order ? checkOrder(order) : null };
}
