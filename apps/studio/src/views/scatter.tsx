import { useEffect, useRef, useState } from "preact/hooks";
import { dark } from "../state/theme.js";
import { drawPoints, type Graphics, openGraphics, stylePoints } from "./graphics.js";
import { views } from "./lazy.js";

interface Props {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Groups of the samples; null while unknown. */
  readonly labels: Uint32Array | null;
  readonly groups: number;
  readonly label: string;
  readonly onSample?: (place: number) => void;
  /** Shown where there is no WebGL. */
  readonly instead: preact.ComponentChildren;
}

/** Any number of points, drawn by the graphics card. One can be on the page at a time. */
export function Scatter({ x, y, labels, groups, label, onSample, instead }: Props) {
  const place = useRef<HTMLDivElement>(null);
  /** undefined: not known yet. */
  const [graphics, setGraphics] = useState<Graphics | null | undefined>(undefined);
  const known = labels !== null;

  useEffect(() => {
    void openGraphics().then(setGraphics);
  }, []);

  useEffect(() => {
    const { current } = place;
    if (!graphics || !current) return;
    current.append(graphics.canvas);
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = current;
      graphics.plot.set({ width, height, aspectRatio: width / Math.max(1, height) });
    };
    const watcher = new ResizeObserver(fit);
    watcher.observe(current);
    // The wheel scrolls the page, unless the map has the focus or Ctrl is held: the plot never hears of it.
    const leaveWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== graphics.canvas) event.stopPropagation();
    };
    current.addEventListener("wheel", leaveWheel, { capture: true, passive: true });
    return () => {
      watcher.disconnect();
      current.removeEventListener("wheel", leaveWheel, { capture: true });
      if (graphics.canvas.parentElement === current) graphics.canvas.remove();
    };
  }, [graphics]);

  useEffect(() => {
    if (!graphics) return;
    graphics.canvas.setAttribute("aria-label", label);
    graphics.onSample = onSample ?? (() => {});
  }, [graphics, label, onSample]);

  useEffect(() => {
    if (graphics) stylePoints(graphics, groups, known, x.length);
  }, [graphics, groups, known, views.value, dark.value, x.length]);

  useEffect(() => {
    if (graphics) drawPoints(graphics, x, y, labels);
  }, [graphics, x, y, labels]);

  if (graphics === null) return <>{instead}</>;
  return (
    <div ref={place} class="scatter">
      {graphics && (
        <button type="button" class="whole" onClick={() => void graphics.plot.zoomToOrigin({ transition: true })}>
          Whole map
        </button>
      )}
    </div>
  );
}
