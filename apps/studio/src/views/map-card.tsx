import { useEffect, useState } from "preact/hooks";
import { toScreen } from "../map/camera.js";
import type { Glimpse } from "../session/protocol.js";
import { mapView } from "../state/map.js";
import { session } from "../state/session.js";
import { store } from "../state/store.js";
import { clusterGroups, colouring } from "./colouring.js";
import { ClusterName } from "./detail.js";
import { shade } from "./map-legend.js";
import { openSample } from "./open.js";
import { Picture } from "./picture.js";
import type { Stage } from "./stage.js";

const WIDE = 240;
const TALL = 200;
const BESIDE = 16;

/** What the sample under the pointer, or under the keys, looks like. */
export function MapCard({
  stage,
  x,
  y,
}: {
  readonly stage: Stage;
  readonly x: Float32Array;
  readonly y: Float32Array;
}) {
  const { value: pointed } = mapView.pointed;
  const sample = pointed?.sample ?? null;
  const [found, setFound] = useState<Glimpse | null>(null);
  useEffect(() => {
    if (sample === null) return;
    let late = false;
    void session.glimpse(sample).then((glimpse) => {
      if (!late) setFound(glimpse);
    });
    return () => {
      late = true;
    };
  }, [sample]);
  const spoken = pointed?.pinned && found?.sample === sample ? describe(found) : "";
  return (
    <>
      <p class="bonmf-spoken" role="status">
        {spoken}
      </p>
      {pointed && found?.sample === pointed.sample && (
        <Card stage={stage} at={[x[pointed.sample], y[pointed.sample]]} found={found} pinned={pointed.pinned} />
      )}
    </>
  );
}

function describe({ id, sample, label }: Glimpse): string {
  const groups = clusterGroups.value;
  const cluster = groups ? `, ${groups.names[groups.of[sample]]}` : "";
  return `${id}${cluster}${label === null ? "" : `, class ${label}`}`;
}

interface CardProps {
  readonly stage: Stage;
  readonly at: readonly [number, number];
  readonly found: Glimpse;
  readonly pinned: boolean;
}

function Card({ stage, at, found, pinned }: CardProps) {
  const { value: size } = stage.size;
  const [px, py] = toScreen(stage.camera.value, size, ...at);
  const left = px + BESIDE + WIDE > size.width ? Math.max(4, px - BESIDE - WIDE) : px + BESIDE;
  const top = Math.max(4, Math.min(py - 20, size.height - TALL));
  const image = store.summary.value?.image;
  const groups = clusterGroups.value;
  const { value: now } = colouring;
  return (
    <div class={pinned ? "map-card pinned" : "map-card"} style={{ left: `${left}px`, top: `${top}px` }}>
      <strong dir="auto">{found.id}</strong>
      {found.pixels && image && <Picture greys={found.pixels} size={image} label={found.id} />}
      {found.text && (
        <p class="passage" dir="auto">
          {found.text}
        </p>
      )}
      <p class="facts">
        {groups && <ClusterName cluster={groups.of[found.sample]} />}
        {found.label !== null && <span class="tag">{found.label}</span>}
      </p>
      {now?.kind === "shades" && (
        <p>
          {now.title}: {shade(now, now.values[found.sample])}
        </p>
      )}
      {pinned && (
        <button type="button" class="quiet" onClick={() => openSample(found.sample)}>
          All about it
        </button>
      )}
    </div>
  );
}
