import type { Cluster, Findings } from "bonmf-report";
import { useEffect, useRef, useState } from "preact/hooks";
import { showSamples } from "../state/actions.js";
import { CLUSTER_SORTS, type ClusterSort, listClusters } from "../state/cluster-order.js";
import { mergeClusters, resetClusters } from "../state/edit.js";
import { nameCluster, run, store } from "../state/store.js";
import { ClusterRow } from "./cluster-row.js";
import { count, describeClusters, plural } from "./format.js";

const TITLES: Readonly<Record<ClusterSort, string>> = {
  number: "by number",
  size: "largest first",
  closeness: "closest first",
  name: "by name",
};

/**
 * The clusters beside the map. One row at a time can be reached by Tab; the arrow keys move among them. A cluster is merged by
 * dragging it onto another, or by M and then Enter on another.
 */
export function ClusterList({ findings }: { readonly findings: Findings }) {
  const [typed, setTyped] = useState("");
  const [sort, setSort] = useState<ClusterSort>("number");
  const [at, setAt] = useState<number | null>(null);
  const [renaming, setRenaming] = useState<number | null>(null);
  const [merging, setMerging] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  /** The row that takes the focus once it is there. */
  const wanted = useRef<number | null>(null);
  const { value: now } = run;
  const rows = listClusters(findings.clusters, sort, typed);
  const active = rows.some(({ number }) => number === at) ? at : rows[0]?.number;
  useEffect(() => setMerging(null), [now?.info.id, now?.groups]);
  useEffect(() => {
    if (wanted.current === null || !focusRow(list.current, wanted.current)) return;
    wanted.current = null;
  });
  if (!now) return null;

  const goTo = (number: number) => {
    setAt(number);
    focusRow(list.current, number);
  };
  const merge = async (one: number, other: number) => {
    setMerging(null);
    if (one === other) return;
    const names = [nameCluster(now.names, one), nameCluster(now.names, other)];
    // The other row will be gone.
    wanted.current = Math.min(one, other);
    setAt(wanted.current);
    await mergeClusters(one, other);
    store.notice.value = `${names[0]} and ${names[1]} are one cluster now. Undo takes them apart.`;
  };
  const press = (event: KeyboardEvent) => {
    if (renaming !== null || active === undefined || active === null) return;
    const place = rows.findIndex(({ number }) => number === active);
    const next = MOVES.get(event.key)?.(place, rows.length);
    if (next !== undefined) goTo(rows[Math.max(0, Math.min(rows.length - 1, next))].number);
    else if (event.key === "F2") setRenaming(active);
    else if (event.key.toLowerCase() === "m" && !event.ctrlKey && !event.metaKey) setMerging(active);
    else if (event.key === "Escape" && merging !== null) setMerging(null);
    else return;
    event.preventDefault();
  };
  const edited = now.names.some((name) => name !== "") || findings.clusters.length < now.info.counts.length;
  return (
    <section class="cluster-list card" aria-labelledby="list-title">
      <div class="title">
        <h2 id="list-title">{describeClusters(now.groups)}</h2>
        {edited && (
          <button type="button" class="quiet" onClick={() => void resetClusters()}>
            Remove names and merges
          </button>
        )}
      </div>
      <div class="list-tools">
        <input
          type="search"
          aria-label="Find a cluster"
          placeholder="Find a cluster"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <select
          aria-label="Order of the clusters"
          value={sort}
          onChange={({ currentTarget }) => setSort(currentTarget.value as ClusterSort)}
        >
          {CLUSTER_SORTS.map((name) => (
            <option key={name} value={name}>
              {TITLES[name]}
            </option>
          ))}
        </select>
      </div>
      <p class="hint" role="status">
        {describeState(rows, findings, typed, merging === null ? null : nameCluster(now.names, merging))}
      </p>
      <ul ref={list} onKeyDown={press}>
        {rows.map((cluster) => (
          <ClusterRow
            key={cluster.number}
            cluster={cluster}
            findings={findings}
            active={cluster.number === active}
            renaming={cluster.number === renaming}
            merging={merging}
            onReach={() => setAt(cluster.number)}
            onRename={(open) => {
              setRenaming(open ? cluster.number : null);
              if (!open) wanted.current = cluster.number;
            }}
            onMerging={setMerging}
            onMerge={(one, other) => void merge(one, other)}
            onShow={() => showSamples({ cluster: cluster.number })}
          />
        ))}
      </ul>
      <p class="hint keys">
        Arrow keys move, Enter selects, F2 renames, M merges. Or drag a cluster onto another to merge them.
      </p>
    </section>
  );
}

/** Where a key leads among rows. */
const MOVES = new Map<string, (at: number, rows: number) => number>([
  ["ArrowDown", (at) => at + 1],
  ["ArrowUp", (at) => at - 1],
  ["PageDown", (at) => at + 10],
  ["PageUp", (at) => at - 10],
  ["Home", () => 0],
  ["End", (_, rows) => rows - 1],
]);

/** @returns whether there is such a row */
function focusRow(list: HTMLElement | null, number: number): boolean {
  const row = list?.querySelector<HTMLElement>(`[data-cluster="${number}"]`);
  row?.focus();
  return row !== null && row !== undefined;
}

function describeState(
  rows: readonly Cluster[],
  { clusters, samples }: Findings,
  typed: string,
  merging: string | null,
): string {
  if (merging !== null) return `Choose the cluster to merge ${merging} with; Escape leaves it as it is.`;
  if (typed.trim() === "") return `${plural(samples, "sample")} in all`;
  return rows.length === 0
    ? "No cluster is like that."
    : `${count(rows.length)} of ${plural(clusters.length, "cluster")}`;
}
