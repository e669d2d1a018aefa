import { useCallback } from "preact/hooks";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { fileStem } from "./save-results.js";
import { useLater } from "./use-later.js";

interface Props {
  readonly title: string;
  readonly make: () => HTMLElement;
  /** Milliseconds until a change of it is drawn. */
  readonly pause?: number;
}

/** A plot with a title, which can be saved as a picture. */
export function PlotCard({ title, pause = 0, ...props }: Props) {
  const { value: lib } = views;
  const make = useLater(props.make, pause);
  const draw = useCallback(
    () => lib?.showFigure(title, make(), { file: fileStem() }) ?? document.createElement("figure"),
    [lib, title, make],
  );
  return <Mount make={draw} class="card plot-card" />;
}
