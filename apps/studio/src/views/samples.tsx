import { useEffect, useState } from "preact/hooks";
import type { Filter, Page } from "../session/protocol.js";
import { listShown } from "../state/merge.js";
import { selectSamples } from "../state/selection.js";
import { session } from "../state/session.js";
import { nameCluster, run, store } from "../state/store.js";
import { closeSample, Detail } from "./detail.js";
import { plural } from "./format.js";
import { Tile } from "./tile.js";

const PAGE = 60;

/** The samples of a run: search, list, details of one. */
export function Samples() {
  const { query, sample, selection, limited } = store;
  const { value: now } = run;
  const among = limited.value ? (selection.value?.samples ?? null) : null;
  const [page, setPage] = useState<Page | null>(null);
  const [shownRows, setShownRows] = useState(PAGE);
  const { text } = query.value;

  useEffect(() => setShownRows(PAGE), [query.value, among, now?.info.id]);
  useEffect(() => {
    if (!now) return;
    let late = false;
    const wait = setTimeout(
      () =>
        void session.find(now.info.id, { ...query.value, among, from: 0, count: shownRows }).then((found) => {
          if (!late) setPage(found);
        }),
      text === "" ? 0 : 150,
    );
    return () => {
      late = true;
      clearTimeout(wait);
    };
  }, [query.value, among, now?.info.id, now?.groups, shownRows]);

  if (!now) return <p class="hint">Fit first: then every sample can be looked at here.</p>;
  return (
    <>
      <Filters />
      <div class="row found">
        <p class="hint" role="status">
          {page ? plural(page.total, "sample") : "Looking…"}
        </p>
        {selection.value && (
          <label class="check">
            <input
              type="checkbox"
              checked={limited.value}
              onChange={({ currentTarget }) => {
                limited.value = currentTarget.checked;
              }}
            />
            Only the selected
          </label>
        )}
        {page && page.total > 0 && (
          <button type="button" class="quiet" onClick={() => void selectFound(now.info.id, { ...query.value, among })}>
            Select these
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what was opened inside */}
      <div
        class={sample.value === null ? "browse" : "browse two"}
        onKeyDown={({ key }) => key === "Escape" && sample.value !== null && closeSample()}
      >
        <div>
          {page?.total === 0 && <p class="empty">No sample is like that. Try another word, or clear the filters.</p>}
          <ul class={store.summary.value?.image ? "tiles" : "lines"}>
            {page?.rows.map((row) => (
              <li key={row.sample}>
                <Tile row={row} />
              </li>
            ))}
          </ul>
          {page && page.total > page.rows.length && (
            <button type="button" class="button" onClick={() => setShownRows(shownRows + PAGE)}>
              Show more
            </button>
          )}
        </div>
        {sample.value !== null && <Detail id={now.info.id} sample={sample.value} />}
      </div>
    </>
  );
}

async function selectFound(id: number, query: Filter): Promise<void> {
  const { cluster, label, text } = query;
  const from = [cluster === null ? "" : nameCluster(run.value?.names ?? [], cluster), label ?? "", text && `“${text}”`];
  selectSamples(await session.match(id, query), from.filter(Boolean).join(", ") || "the list");
}

function Filters() {
  const { query, summary } = store;
  const { value: now } = run;
  const { cluster, label, text, sort } = query.value;
  const set = (change: Partial<typeof query.value>) => {
    query.value = { ...query.value, ...change };
  };
  return (
    <div class="filters">
      <div class="field">
        <label for="find">Search</label>
        <input
          id="find"
          type="search"
          value={text}
          placeholder="a name, a label, a word"
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="in-group">Cluster</label>
        <select
          id="in-group"
          value={cluster ?? ""}
          onChange={({ currentTarget: { value } }) => set({ cluster: value === "" ? null : Number(value) })}
        >
          <option value="">all</option>
          {listShown(now?.groups ?? []).map((number) => (
            <option key={number} value={number}>
              {nameCluster(now?.names ?? [], number)}
            </option>
          ))}
        </select>
      </div>
      {summary.value?.classes && (
        <div class="field">
          <label for="in-class">Label</label>
          <select
            id="in-class"
            value={label ?? ""}
            onChange={({ currentTarget: { value } }) => set({ label: value === "" ? null : value })}
          >
            <option value="">all</option>
            {summary.value.classes.map((name) => (
              <option key={name} value={String(name)}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label for="sort">Order</label>
        <select id="sort" value={sort} onChange={({ currentTarget: { value } }) => set({ sort: value as typeof sort })}>
          <option value="typical">most typical first</option>
          <option value="borderline">most borderline first</option>
          <option value="order">as in the file</option>
        </select>
      </div>
    </div>
  );
}
