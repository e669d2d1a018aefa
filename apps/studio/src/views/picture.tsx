import { useEffect, useRef } from "preact/hooks";
import type { Size } from "../data/source.js";
import { store } from "../state/store.js";

interface Props {
  readonly greys: ArrayLike<number>;
  readonly size: Size;
  readonly label: string;
}

/** A sample or prototype as a picture: ink on paper where most is empty, else light as it is. */
export function Picture({ greys, size: { width, height }, label }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = store.summary.value?.ink ?? false;
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen) return;
    const image = pen.createImageData(width, height);
    for (let p = 0; p < width * height; p++) {
      if (!ink) image.data.fill(greys[p], 4 * p, 4 * p + 3);
      image.data[4 * p + 3] = ink ? greys[p] : 255;
    }
    pen.putImageData(image, 0, 0);
  }, [greys, width, height, ink]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      class={ink ? "bonmf-picture bonmf-ink" : "bonmf-picture"}
      role="img"
      aria-label={label}
    />
  );
}
