import type { Row } from "../session/protocol.js";
import { isSelected } from "../state/selection.js";
import { nameCluster, run, store } from "../state/store.js";
import { colourCluster } from "./colour.js";
import { openSample } from "./open.js";
import { Passage } from "./passage.js";
import { Picture } from "./picture.js";

/** One sample of a list; choosing it shows it in full. */
export function Tile({ row }: { readonly row: Row }) {
  const { sample, summary, selection } = store;
  const image = summary.value?.image;
  const name = nameCluster(run.value?.names ?? [], row.cluster);
  return (
    <button
      type="button"
      class={selection.value && isSelected(selection.value, row.sample) ? "tile chosen" : "tile"}
      aria-pressed={sample.value === row.sample}
      style={{ "--bonmf-colour": colourCluster(row.cluster) }}
      onClick={() => openSample(row.sample)}
    >
      {row.pixels && image ? (
        <>
          <Picture greys={row.pixels} size={image} label={`${row.id}, ${name}`} />
          <span class="under">
            <i class="bonmf-swatch" />
            <bdi>{row.label ?? row.id}</bdi>
          </span>
        </>
      ) : (
        <>
          <span class="who">
            <i class="bonmf-swatch" role="img" aria-label={name} />
            <b>
              <bdi>{row.id}</bdi>
            </b>
            {row.label !== null && (
              <span class="tag">
                <bdi>{row.label}</bdi>
              </span>
            )}
          </span>
          {row.passage.length > 0 ? (
            <span class="bonmf-passage" dir="auto">
              <Passage pieces={row.passage} />
            </span>
          ) : (
            <span class="what">
              <bdi>{row.text}</bdi>
            </span>
          )}
        </>
      )}
    </button>
  );
}
