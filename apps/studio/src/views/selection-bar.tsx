import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Histogram, SelectionInfo } from "../session/protocol.js";
import { openTab } from "../state/actions.js";
import { selectedCounts } from "../state/selected-clusters.js";
import { clearSelection } from "../state/selection.js";
import { session } from "../state/session.js";
import { run, store } from "../state/store.js";
import { colourCluster } from "./colour.js";
import { ClusterName } from "./detail.js";
import { count, plural, short } from "./format.js";
import { Picture } from "./picture.js";
import { saveSelection } from "./save-results.js";

/** Whether its figures are shown; the same in every view. */
const open = signal(false);
const MOST_CLUSTERS = 12;

/** The selected samples, above every view. */
export function SelectionBar() {
  const { value: selection } = store.selection;
  const { value: now } = run;
  return (
    <div class={selection && now ? "selection on" : "selection"}>
      <p role="status">
        {selection && now && (
          <>
            <strong>{plural(selection.samples.length, "sample")} selected</strong> <bdi>({selection.from})</bdi>
          </>
        )}
      </p>
      {selection && now && (
        <>
          <span class="row">
            <button
              type="button"
              class="quiet"
              aria-expanded={open.value}
              onClick={() => {
                open.value = !open.value;
              }}
            >
              What they are
            </button>
            {store.tab.value !== "samples" && (
              <button type="button" class="quiet" onClick={() => openTab("samples")}>
                Show them
              </button>
            )}
            <button type="button" class="quiet" onClick={() => void saveSelection()}>
              Save the selection
            </button>
            <button type="button" class="quiet" onClick={clearSelection}>
              Clear the selection
            </button>
          </span>
          {open.value && <Figures id={now.info.id} samples={selection.samples} />}
        </>
      )}
    </div>
  );
}

function Figures({ id, samples }: { readonly id: number; readonly samples: Uint32Array }) {
  const [info, setInfo] = useState<SelectionInfo | null>(null);
  const groups = run.value?.groups;
  useEffect(() => {
    let late = false;
    void session.describeSelection(id, samples).then((found) => {
      if (!late) setInfo(found);
    });
    return () => {
      late = true;
    };
  }, [id, samples, groups]);
  const image = store.summary.value?.image;
  const counts = [...(selectedCounts.value ?? [])].sort((a, b) => b[1] - a[1]);
  return (
    <div class="selection-figures">
      <figure>
        <figcaption>By cluster</figcaption>
        <ul class="bars">
          {counts.slice(0, MOST_CLUSTERS).map(([cluster, selected]) => (
            <li key={cluster} style={{ "--bonmf-colour": colourCluster(cluster) }}>
              <ClusterName cluster={cluster} />
              <span class="bonmf-bar" aria-hidden="true" style={{ "--bonmf-filled": selected / counts[0][1] }} />
              <small>{count(selected)}</small>
            </li>
          ))}
        </ul>
        {counts.length > MOST_CLUSTERS && <p class="hint">and {count(counts.length - MOST_CLUSTERS)} more</p>}
      </figure>
      {info?.labels && (
        <figure>
          <figcaption>By label</figcaption>
          <ul class="bars">
            {info.labels.map(({ label, selected, all }) => (
              <li key={label}>
                <bdi>{label}</bdi>
                <span
                  class="bonmf-bar"
                  aria-hidden="true"
                  style={{ "--bonmf-filled": selected / (info.labels?.[0]?.selected ?? 1) }}
                />
                <small>
                  {count(selected)} of {count(all)}
                </small>
              </li>
            ))}
          </ul>
        </figure>
      )}
      {info && <Bins histogram={info.closeness} />}
      {info?.features.map((histogram) => (
        <Bins key={histogram.name} histogram={histogram} />
      ))}
      {info && info.words.length > 0 && (
        <figure>
          <figcaption>More than in the others</figcaption>
          <p>
            <bdi>{info.words.join(" · ")}</bdi>
          </p>
        </figure>
      )}
      {info?.picture && image && (
        <figure class="mean">
          <figcaption>Their mean</figcaption>
          <Picture greys={info.picture} size={image} label="The mean of the selected pictures" />
        </figure>
      )}
    </div>
  );
}

/** Bars of the selected samples before those of all, each by its own tallest: shapes are compared. */
function Bins({ histogram }: { readonly histogram: Histogram }) {
  const { name, least, most, selected, all } = histogram;
  const [top, whole] = [Math.max(1, ...selected), Math.max(1, ...all)];
  const middle = selected.indexOf(top);
  const width = (most - least) / all.length;
  const text = `${name}: most of the selected samples from ${short(least + middle * width)} to ${short(least + (middle + 1) * width)}`;
  return (
    <figure>
      <figcaption>
        <bdi>{name}</bdi>
      </figcaption>
      <svg class="bins" viewBox={`0 0 ${all.length} 10`} preserveAspectRatio="none" role="img" aria-label={text}>
        {all.map((bin, place) => (
          <g key={place}>
            <rect class="all" x={place} y={10 - (10 * bin) / whole} width={1} height={(10 * bin) / whole} />
            <rect
              class="some"
              x={place + 0.15}
              y={10 - (10 * selected[place]) / top}
              width={0.7}
              height={(10 * selected[place]) / top}
            />
          </g>
        ))}
      </svg>
      <div class="ends">
        <span>{short(least)}</span>
        <span>{short(most)}</span>
      </div>
    </figure>
  );
}
