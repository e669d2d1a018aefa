import { useEffect, useId, useState } from "preact/hooks";
import { type LabelKind, mapView, setColour } from "../state/map.js";
import { clearSelection, selectSamples } from "../state/selection.js";
import { session } from "../state/session.js";
import { shown, store } from "../state/store.js";
import { clusterGroups, colouring } from "./colouring.js";
import { labelKind, listLabelKinds } from "./map-labels.js";
import { savePicture } from "./save-picture.js";
import { fileStem } from "./save-results.js";
import type { Stage } from "./stage.js";

/** More different texts are no categories. */
const MOST_CATEGORIES = 60;
const KINDS: Readonly<Record<LabelKind, string>> = {
  names: "names",
  words: "top words",
  pictures: "prototypes",
  none: "no labels",
};

/** What the map shows, what is searched, what is saved. */
export function MapTools({ stage }: { readonly stage: Stage }) {
  return (
    <div class="map-tools">
      <ColourChoice />
      <LabelChoice />
      <label class="check">
        <input
          type="checkbox"
          checked={mapView.contours.value}
          onChange={({ currentTarget }) => {
            mapView.contours.value = currentTarget.checked;
          }}
        />
        contours
      </label>
      <Search />
      <button
        type="button"
        class="button small"
        aria-pressed={stage.lasso.value}
        title="Draw around samples to select them. Shift and drag selects a rectangle."
        onClick={() => {
          stage.lasso.value = !stage.lasso.value;
        }}
      >
        Lasso
      </button>
      <SaveButtons />
    </div>
  );
}

function ColourChoice() {
  const { value: colour } = mapView.colour;
  const { value: summary } = store.summary;
  const { value: preview } = store.preview;
  const columns = preview?.form === "table" ? preview.columns.filter(isUseful) : [];
  const wordy = summary?.form === "text" || preview?.form === "matrix";
  const value = colour.by === "column" ? `column:${colour.column}` : colour.by;
  const choose = (chosen: string) => {
    if (chosen.startsWith("column:")) setColour({ by: "column", column: chosen.slice("column:".length) });
    else if (chosen === "feature") setColour({ by: "feature", feature: "" });
    else setColour({ by: chosen as "cluster" | "class" | "closeness" });
  };
  return (
    <>
      <label class="inline">
        Colour{" "}
        <select id="map-colour" value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="cluster">clusters</option>
          {summary?.classes && <option value="class">classes</option>}
          <option value="closeness">closeness</option>
          {wordy && <option value="feature">{summary?.form === "text" ? "a word…" : "a feature…"}</option>}
          {columns.length > 0 && (
            <optgroup label="Columns">
              {columns.map(({ name, type }) => (
                <option key={name} value={`column:${name}`}>
                  {name}
                  {type === "date" ? " (date)" : ""}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      {colour.by === "feature" && <FeatureChoice feature={colour.feature} />}
    </>
  );
}

function isUseful({ type, different }: { readonly type: string; readonly different: number | null }): boolean {
  if (type === "list") return false;
  return type !== "text" || (different !== null && different > 1 && different <= MOST_CATEGORIES);
}

function FeatureChoice({ feature }: { readonly feature: string }) {
  const wordy = store.summary.value?.form === "text";
  const words = wordy ? (shown.value?.clusters.flatMap((one) => one.distinctive.map(({ name }) => name)) ?? []) : [];
  const list = useId();
  return (
    <>
      <input
        class="small"
        aria-label={wordy ? "A word" : "A feature"}
        placeholder={wordy ? "a word" : "a name, or #12"}
        list={list}
        value={feature}
        onChange={({ currentTarget }) => setColour({ by: "feature", feature: currentTarget.value.trim() })}
      />
      <datalist id={list}>
        {[...new Set(words)].map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </>
  );
}

function LabelChoice() {
  const { value: now } = colouring;
  const groups = now?.kind === "groups" ? now : clusterGroups.value;
  if (!groups) return null;
  return (
    <label class="inline">
      Labels{" "}
      <select
        id="map-labels"
        value={labelKind(groups)}
        onChange={({ currentTarget }) => {
          mapView.labels.value = currentTarget.value as LabelKind;
        }}
      >
        {listLabelKinds(groups, shown.value).map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind]}
          </option>
        ))}
      </select>
    </label>
  );
}

const PAUSE = 250;

/** What is typed selects every sample that mentions it. */
function Search() {
  const [text, setText] = useState("");
  const [none, setNone] = useState(false);
  useEffect(() => {
    if (text.trim() === "") return;
    let late = false;
    const wait = setTimeout(
      () =>
        void session.search(text).then((found) => {
          if (late) return;
          setNone(found.length === 0);
          selectSamples(found, `the search for “${text.trim()}”`);
        }),
      PAUSE,
    );
    return () => {
      late = true;
      clearTimeout(wait);
    };
  }, [text]);
  return (
    <>
      <input
        id="map-search"
        class="small"
        type="search"
        aria-label="Search and select"
        placeholder="Search and select"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setNone(false);
          if (currentTarget.value.trim() === "") clearSelection();
        }}
      />
      <span class="bonmf-spoken" role="status">
        {none ? "No sample mentions it" : ""}
      </span>
      {none && <span class="hint">none</span>}
    </>
  );
}

function SaveButtons() {
  const save = (format: "png" | "svg") => {
    mapView.pointed.value = null;
    // The card goes first.
    requestAnimationFrame(() => {
      const plot = document.querySelector(".map .scatter");
      if (plot) void savePicture(plot, `${fileStem()}-map`, format);
    });
  };
  return (
    <span class="saves">
      <button type="button" class="quiet" title="Save the map as a picture" onClick={() => save("png")}>
        PNG
      </button>
      <button type="button" class="quiet" title="Save the map as a drawing" onClick={() => save("svg")}>
        SVG
      </button>
    </span>
  );
}
