import { useEffect, useState } from "preact/hooks";
import type { NeighborRow } from "../session/protocol.js";
import { session } from "../state/session.js";
import { store } from "../state/store.js";
import { Tile } from "./tile.js";

/** Samples and how near they are. */
export function NeighborList({ rows }: { readonly rows: readonly NeighborRow[] }) {
  return (
    <ul class={store.summary.value?.image ? "tiles near" : "lines near"}>
      {rows.map((row) => (
        <li key={row.sample}>
          <Tile row={row} />
          <small>cosine {row.closeness.toFixed(3)}</small>
        </li>
      ))}
    </ul>
  );
}

/** Of more samples the search is made only when asked for. */
const AT_ONCE = 100_000;

/** The samples nearest to one. */
export function Neighbors({ id, sample }: { readonly id: number; readonly sample: number }) {
  const few = (store.summary.value?.samples ?? 0) <= AT_ONCE;
  const [asked, setAsked] = useState(few);
  const [rows, setRows] = useState<readonly NeighborRow[] | null>(null);
  useEffect(() => {
    if (!asked) return;
    let late = false;
    void session.neighbors(id, sample).then((found) => {
      if (!late) setRows(found);
    });
    return () => {
      late = true;
    };
  }, [id, sample, asked]);
  return (
    <details open={asked} onToggle={({ currentTarget }) => currentTarget.open && setAsked(true)}>
      <summary>Nearest samples</summary>
      {rows ? <NeighborList rows={rows} /> : <p class="hint">Looking…</p>}
    </details>
  );
}
