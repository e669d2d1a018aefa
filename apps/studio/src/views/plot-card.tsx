import { useCallback } from "preact/hooks";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { fileStem } from "./save-results.js";

interface Props {
  readonly title: string;
  readonly make: () => HTMLElement;
}

/** A plot with a title, which can be saved as a picture. */
export function PlotCard({ title, make }: Props) {
  const { value: lib } = views;
  const draw = useCallback(
    () => lib?.showFigure(title, make(), { file: fileStem() }) ?? document.createElement("figure"),
    [lib, title, make],
  );
  return <Mount make={draw} class="card plot-card" />;
}
