import { defuseFormulas } from "bonmf-data";
import { during } from "../state/busy.js";
import { session } from "../state/session.js";
import { nameCluster, run, shown, store } from "../state/store.js";
import { plural } from "./format.js";
import { saveFile } from "./save.js";

/** The name of saved files, without an ending. */
export function fileStem(): string {
  return (shown.value?.source ?? store.project.value?.name ?? "bonmf").replace(/(\.\w+)+$/, "");
}

/** The names people gave, one a cluster; null where they gave none. */
function namesOf(names: readonly string[]): readonly string[] | null {
  return names.some((name) => name !== "") ? names.map((_, cluster) => nameCluster(names, cluster)) : null;
}

/** The rows of the samples with their clusters, as CSV. */
async function saveRows(name: string, only: Uint32Array | null, safe: boolean): Promise<void> {
  const { value: now } = run;
  if (!now) return;
  const lines = await session.assignments(now.info.id, namesOf(now.names), only);
  saveFile(name, [safe ? defuseFormulas(lines, ",") : lines], "text/csv");
}

/** @param safe no text in it runs as a formula */
export function saveAssignments(safe: boolean): Promise<void> {
  return saveRows(`${fileStem()}-clusters.csv`, null, safe);
}

export async function saveSelection(safe = false): Promise<void> {
  const { value: selection } = store.selection;
  if (!selection) return;
  await during("Saving the selection…", async () => {
    const name = `${fileStem()}-selection.csv`;
    await saveRows(name, selection.samples, safe);
    store.notice.value = `${plural(selection.samples.length, "sample")} saved as ${name}.`;
  });
}
