import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PointCloud } from "../map/points.js";
import { resolveColours } from "../map/resolve-colours.js";
import { dark } from "../state/theme.js";
import { count as format } from "./format.js";
import { views } from "./lazy.js";
import { Stage } from "./stage.js";

interface Props {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** The samples that the places are of; null: all. */
  readonly among?: Uint32Array | null;
  /** A place in `colours` for each sample; null: all have the first. */
  readonly of: ArrayLike<number> | null;
  /** CSS colours; "transparent" for what is filtered out. */
  readonly colours: readonly string[];
  readonly selected?: Uint32Array | null;
  /** What the picture shows; where there are `children`, they say it. */
  readonly label?: string;
  readonly stage?: Stage;
  /** Drawn over the points. */
  readonly children?: preact.ComponentChildren;
}

/** Kept for the next map: browsers take long to open a graphics card, and points go on from where they are. */
let idle: PointCloud | null = null;

/** Opens the graphics card before there is something to draw. */
export function prepareScatter(): void {
  idle ??= new PointCloud();
}

/** Any number of points; as many of them are drawn as the machine draws in time. */
export function Scatter({ x, y, among = null, of, colours, selected = null, label, children, ...rest }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const points = useRef<HTMLDivElement>(null);
  const stage = useMemo(() => rest.stage ?? new Stage(), [rest.stage]);
  const [cloud, setCloud] = useState<PointCloud | null>(null);

  useEffect(() => {
    if (!frame.current || !points.current) return;
    const made = idle ?? new PointCloud();
    idle = null;
    made.enter(points.current);
    made.onDrawn = (drawn, all) => {
      stage.drawn.value = drawn < all ? { drawn, all } : null;
    };
    setCloud(made);
    const leave = stage.enter(frame.current);
    return () => {
      leave();
      made.leave();
      idle = made;
    };
  }, [stage]);

  useSignalEffect(() => {
    const { value: size } = stage.size;
    if (cloud && size.width > 0) cloud.resize(size);
  });
  useSignalEffect(() => {
    const { value: camera } = stage.camera;
    cloud?.look(camera);
  });
  useEffect(() => {
    const palette = resolveColours(colours);
    cloud?.style({ palette, size: sizeFor(x.length), opacity: x.length > 100_000 ? 0.45 : 0.8 });
  }, [cloud, colours.join(), views.value, dark.value, x.length]);
  useEffect(() => {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    cloud?.place(x, y, stage.hold(x, y), still, among);
  }, [cloud, x, y]);
  useEffect(() => {
    if (of?.length !== x.length) cloud?.group(new Uint8Array(x.length));
    else cloud?.group(of);
  }, [cloud, of, x.length]);
  useEffect(() => cloud?.select(selected), [cloud, selected]);

  const { value: drawn } = stage.drawn;
  return (
    <div ref={frame} class="scatter">
      <div ref={points} class="points" role="img" aria-label={label} aria-hidden={label === undefined} />
      {drawn && (
        <p class="drawn">
          {format(drawn.drawn)} of {format(drawn.all)} points drawn
        </p>
      )}
      {cloud && children}
    </div>
  );
}

function sizeFor(count: number): number {
  if (count > 200_000) return 1.4;
  if (count > 20_000) return 2.2;
  if (count > 5000) return 3.2;
  return count > 1000 ? 4.5 : 6;
}
