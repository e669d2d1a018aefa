import { useEffect, useState } from "preact/hooks";
import type { Page, Row } from "../session/protocol.js";
import { session } from "../state/session.js";
import { nameGroup, run, store } from "../state/store.js";
import { Detail } from "./detail.js";
import { plural } from "./format.js";
import { views } from "./lazy.js";
import { Picture } from "./picture.js";

const PAGE = 60;

/** The samples of a run: search, list, details of one. */
export function Samples() {
  const { query, sample } = store;
  const { value: now } = run;
  const [page, setPage] = useState<Page | null>(null);
  const [shownRows, setShownRows] = useState(PAGE);
  const { group, label, text, sort } = query.value;

  useEffect(() => setShownRows(PAGE), [query.value, now?.info.id]);
  useEffect(() => {
    if (!now) return;
    let late = false;
    const clusters = group === null ? null : now.groups.flatMap((g, cluster) => (g === group ? [cluster] : []));
    const wait = setTimeout(
      () =>
        void session.find(now.info.id, { clusters, label, text, sort, from: 0, count: shownRows }).then((found) => {
          if (!late) setPage(found);
        }),
      text === "" ? 0 : 150,
    );
    return () => {
      late = true;
      clearTimeout(wait);
    };
  }, [query.value, now?.info.id, now?.groups, shownRows]);

  if (!now) return <p class="hint">Fit first: then every sample can be looked at here.</p>;
  return (
    <>
      <Filters />
      <p class="hint" role="status">
        {page ? plural(page.total, "sample") : "Looking…"}
      </p>
      <div class={sample.value === null ? "browse" : "browse two"}>
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

function Filters() {
  const { query, summary } = store;
  const { value: now } = run;
  const { group, label, text, sort } = query.value;
  const groups = Array.from({ length: Math.max(...(now?.groups ?? [0])) + 1 }, (_, g) => g);
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
          value={group ?? ""}
          onChange={({ currentTarget: { value } }) => set({ group: value === "" ? null : Number(value) })}
        >
          <option value="">all</option>
          {groups.map((g) => (
            <option key={g} value={g}>
              {nameGroup(now?.names ?? [], g)}
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

export function Tile({ row }: { readonly row: Row }) {
  const { sample, summary } = store;
  const { value: now } = run;
  const group = now?.groups[row.cluster] ?? row.cluster;
  const groups = Math.max(...(now?.groups ?? [0])) + 1;
  const image = summary.value?.image;
  const name = nameGroup(now?.names ?? [], group);
  return (
    <button
      type="button"
      class="tile"
      aria-pressed={sample.value === row.sample}
      style={{ "--bonmf-colour": views.value?.colourOf(group, groups) ?? "gray" }}
      onClick={() => {
        sample.value = row.sample;
      }}
    >
      {row.pixels && image ? (
        <>
          <Picture greys={row.pixels} size={image} label={`${row.id}, ${name}`} />
          <span class="under">
            <i class="bonmf-swatch" />
            {row.label ?? row.id}
          </span>
        </>
      ) : (
        <>
          <span class="who">
            <i class="bonmf-swatch" role="img" aria-label={name} />
            <b>{row.id}</b>
            {row.label !== null && <span class="tag">{row.label}</span>}
          </span>
          <span class="what">{row.text}</span>
        </>
      )}
    </button>
  );
}
