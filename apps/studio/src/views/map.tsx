import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { openGeometry } from "../map/client.js";
import type { Contour } from "../map/contours.js";
import { describeError } from "../state/busy.js";
import { mapView } from "../state/map.js";
import { session } from "../state/session.js";
import { run, store } from "../state/store.js";
import { clusterGroups, colouring } from "./colouring.js";
import { plural } from "./format.js";
import { MapCard } from "./map-card.js";
import { click, encircle, findNear, press } from "./map-hands.js";
import { listShown, MapLegend } from "./map-legend.js";
import { MapOverlay } from "./map-overlay.js";
import { MapTools } from "./map-tools.js";
import { Scatter } from "./scatter.js";
import { Stage } from "./stage.js";

type Places = { readonly x: Float32Array; readonly y: Float32Array };

/** The map of a run: where the samples lie, and tools to look at them and pick them out. */
export function ClusterMap() {
  const { value: spread } = store.spread;
  const stage = useMemo(() => new Stage(mapView.camera), []);
  useColumn();
  return (
    <section class="map" aria-labelledby="map-title">
      <div class="title">
        <h2 id="map-title">Map</h2>
        <MapTools stage={stage} />
      </div>
      <div class="card stage">{spread && run.value && <Instrument stage={stage} places={spread} />}</div>
      <MapLegend />
    </section>
  );
}

/** Fetches the values that colour the map. */
function useColumn(): void {
  const { value: colour } = mapView.colour;
  const { value: now } = run;
  const id = now?.info.id;
  useEffect(() => {
    if (colour.by === "cluster" || id === undefined) return;
    if (colour.by === "feature" && colour.feature === "") return;
    let late = false;
    session.column(id, colour).then(
      (column) => {
        if (!late) mapView.column.value = column;
      },
      (error: unknown) => {
        if (late) return;
        store.problem.value = describeError(error);
        mapView.colour.value = { by: "cluster" };
      },
    );
    return () => {
      late = true;
    };
  }, [colour, id, now?.groups]);
}

function Instrument({ stage, places }: { readonly stage: Stage; readonly places: Places }) {
  const { x, y } = places;
  const geometry = useMemo(openGeometry, []);
  const { value: now } = colouring;
  const { value: only } = mapView.only;
  const { value: selection } = store.selection;
  const { settled, contours, anchors } = useGeometry(places);
  const [lasso, setLasso] = useState<readonly (readonly [number, number])[]>([]);
  const map = { stage, geometry, x, y, anchors };
  const hands = useHands(map, setLasso);
  const colours = useMemo(
    () => now?.colours.map((colour, g) => (isOut(now.kind, only, g) ? "transparent" : colour)) ?? ["gray"],
    [now, only],
  );
  const labelled = now?.kind === "groups" ? now : clusterGroups.value;
  return (
    <Scatter x={x} y={y} of={now?.of ?? null} colours={colours} selected={selection?.samples ?? null} stage={stage}>
      <MapOverlay
        stage={stage}
        x={x}
        y={y}
        contours={settled && mapView.contours.value ? contours : []}
        anchors={settled ? anchors : null}
        groups={labelled}
        lasso={lasso}
      />
      <div
        class={stage.lasso.value ? "hands lasso" : "hands"}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move from sample to sample in it
        tabIndex={0}
        aria-label={`Map of ${plural(x.length, "sample")}`}
        aria-describedby="map-keys"
        {...hands}
      />
      <p id="map-keys" class="map-keys">
        Arrow keys go from sample to sample, Page Up and Page Down from cluster to cluster. Enter selects, Shift+Enter
        the whole cluster, Escape clears. + and − zoom, 0 shows the whole map.
      </p>
      <MapCard stage={stage} x={x} y={y} />
      <Corner stage={stage} />
    </Scatter>
  );
}

function isOut(kind: "groups" | "shades", only: ReadonlySet<number>, group: number): boolean {
  return kind === "groups" && only.size > 0 && !only.has(group);
}

/** How long places must stay before lines and labels are drawn, in milliseconds. */
const REST = 250;

/** Lines of density and places of labels, found by a worker once the samples rest. */
function useGeometry(places: Places) {
  const geometry = useMemo(openGeometry, []);
  const [known, setKnown] = useState<Places | null>(null);
  const [contours, setContours] = useState<readonly Contour[]>([]);
  const [anchors, setAnchors] = useState<Float32Array | null>(null);
  const { value: now } = colouring;
  const { value: only } = mapView.only;
  const labelled = now?.kind === "groups" ? now : clusterGroups.value;
  const { of, names } = labelled ?? { of: null, names: [] };
  useEffect(() => {
    const wait = setTimeout(
      () => void geometry.place(places.x, places.y).then(() => setKnown(places)),
      known ? REST : 0,
    );
    return () => clearTimeout(wait);
  }, [places]);
  useEffect(() => {
    let late = false;
    if (!known || known.x !== places.x) return;
    void geometry.show(listShown(now, only));
    void geometry.contours().then((found) => {
      if (!late) setContours(found);
    });
    return () => {
      late = true;
    };
  }, [known, places, now?.of, only]);
  useEffect(() => {
    let late = false;
    if (!known || !of || of.length !== known.x.length) return;
    void geometry.anchors(of instanceof Uint32Array ? of : Uint32Array.from(of), names.length).then((found) => {
      if (!late) setAnchors(found);
    });
    return () => {
      late = true;
    };
  }, [known, of, names.length]);
  return { settled: known?.x === places.x, contours, anchors };
}

type Map = Parameters<typeof click>[0];
type Corners = readonly (readonly [number, number])[];

/** Pointer and keys. */
function useHands(map: Map, setLasso: (corners: Corners) => void) {
  const { stage } = map;
  const asking = useRef(false);
  const line = useRef<{ readonly corners: [number, number][]; readonly box: boolean } | null>(null);
  const hover = async (event: PointerEvent) => {
    if (asking.current || event.buttons !== 0 || event.pointerType === "touch" || mapView.pointed.value?.pinned) return;
    asking.current = true;
    const sample = await findNear(map, event).finally(() => {
      asking.current = false;
    });
    if (!mapView.pointed.value?.pinned) mapView.pointed.value = sample === null ? null : { sample, pinned: false };
  };
  return {
    onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => {
      event.currentTarget.focus({ preventScroll: true });
      if (event.button !== 0 || !(stage.lasso.value || event.shiftKey)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      line.current = { corners: [stage.at(event).pixels], box: !stage.lasso.value };
    },
    // Shift would select the page's text, and text that is selected would be dragged.
    onMouseDown: (event: MouseEvent) => {
      if (line.current) event.preventDefault();
    },
    onPointerCancel: () => {
      line.current = null;
      setLasso([]);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!line.current) void hover(event);
      else {
        // A busy page hears of several moves at once.
        const moves = event.getCoalescedEvents?.() ?? [];
        for (const move of moves.length > 0 ? moves : [event]) line.current.corners.push(stage.at(move).pixels);
        setLasso(outline(line.current));
      }
    },
    onPointerUp: (event: PointerEvent) => {
      const drawn = line.current && outline(line.current);
      const what = line.current?.box ? "the rectangle" : "the lasso";
      line.current = null;
      setLasso([]);
      if (drawn && drawn.length > 2) void encircle(map, drawn, event.ctrlKey || event.metaKey, what);
    },
    onPointerLeave: () => {
      if (!mapView.pointed.value?.pinned) mapView.pointed.value = null;
    },
    onClick: (event: MouseEvent) => {
      if (!stage.lasso.value && !event.shiftKey) void click(map, event);
    },
    onKeyDown: (event: KeyboardEvent) => void press(map, event),
  };
}

function outline({ corners, box }: { readonly corners: readonly [number, number][]; readonly box: boolean }): Corners {
  if (!box) return [...corners];
  const [[left, top], [right, bottom]] = [corners[0], corners[corners.length - 1]];
  return left === right || top === bottom
    ? []
    : [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ];
}

/** What moves the camera. */
function Corner({ stage }: { readonly stage: Stage }) {
  const geometry = useMemo(openGeometry, []);
  const { value: selection } = store.selection;
  const { width } = stage.size.value;
  const corner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!corner.current) return;
    // The buttons lie in their container, which lies in the map.
    const { offsetLeft, offsetTop, children } = corner.current;
    const buttons = [...children].filter((one) => one instanceof HTMLElement);
    const left = Math.min(...buttons.map((one) => one.offsetLeft));
    const bottom = Math.max(...buttons.map((one) => one.offsetTop + one.offsetHeight));
    stage.corner.value = { width: width - offsetLeft - left, height: offsetTop + bottom };
  }, [stage, width, selection !== null]);
  return (
    <div ref={corner} class="corner">
      {selection && (
        <button type="button" onClick={async () => stage.show(await geometry.bounds(selection.samples))}>
          Zoom to selection
        </button>
      )}
      <button type="button" aria-label="Zoom in" onClick={() => stage.nearer(1.5)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => stage.nearer(1 / 1.5)}>
        −
      </button>
      <button type="button" onClick={async () => stage.show(await geometry.bounds(null))}>
        Zoom to fit
      </button>
      <button type="button" onClick={() => stage.reset()}>
        Whole map
      </button>
    </div>
  );
}
