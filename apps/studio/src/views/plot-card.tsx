import { useRef } from "preact/hooks";
import { during } from "../state/busy.js";
import { Mount } from "./mount.js";
import { savePicture } from "./save-picture.js";
import { fileStem } from "./save-results.js";

interface Props {
  readonly title: string;
  readonly make: (width: number) => Element;
}

/** A plot with a title, which can be saved as a picture. */
export function PlotCard({ title, make }: Props) {
  const frame = useRef<HTMLElement>(null);
  const save = (format: "png" | "svg") => {
    const { current } = frame;
    const plot = current?.querySelector(".bonmf-plots, .bonmf-frame, .bonmf-plot");
    const name = `${fileStem()}-${title.toLowerCase().replace(/\W+/g, "-")}`;
    if (plot) void during("Saving the picture…", () => savePicture(plot, name, format));
  };
  return (
    <figure class="card" ref={frame}>
      <figcaption>
        {title}
        <span class="saves">
          <button type="button" class="quiet" onClick={() => save("png")}>
            PNG<span class="hidden"> of {title}</span>
          </button>
          <button type="button" class="quiet" onClick={() => save("svg")}>
            SVG<span class="hidden"> of {title}</span>
          </button>
        </span>
      </figcaption>
      <Mount make={make} />
    </figure>
  );
}
