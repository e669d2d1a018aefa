import { useEffect, useRef } from "preact/hooks";
import { views } from "./lazy.js";
import { fileStem } from "./save-results.js";

interface Props {
  readonly title: string;
  readonly make: () => HTMLElement;
}

/** A plot with a title, which can be saved as a picture; it is drawn when it comes near the screen. */
export function PlotCard({ title, make }: Props) {
  const { value: lib } = views;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: place } = card;
    if (!lib || !place) return;
    lib.drawNear(place, () => place.replaceChildren(lib.showFigure(title, make(), { file: fileStem() })));
  }, [lib, title, make]);
  return <div ref={card} class="card plot-card" />;
}
