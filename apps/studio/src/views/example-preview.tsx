import { useEffect, useRef } from "preact/hooks";
import { drawShapes, type ExampleName, mixDrinks, SIDE, TASTES, writeNotes } from "../data/example-samples.js";

/** Darkest pixel of a shape; strongest taste. */
const DARKEST = 16;
const STRONGEST = 12;

/** The first samples of an example; its words are said beside it. */
export function ExamplePreview({ name }: { readonly name: ExampleName }) {
  return (
    <span class="glimpse" aria-hidden="true">
      {name === "shapes" && drawShapes(6).rows.map((pixels, i) => <Shape key={i} pixels={pixels} />)}
      {name === "drinks" && <Drinks />}
      {name === "notes" && <Notes />}
    </span>
  );
}

function Shape({ pixels }: { readonly pixels: readonly number[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    const image = pen?.createImageData(SIDE, SIDE);
    if (!pen || !image) return;
    for (const [p, ink] of pixels.entries()) image.data[4 * p + 3] = (255 * ink) / DARKEST;
    pen.putImageData(image, 0, 0);
  }, [pixels]);
  return <canvas ref={canvas} class="bonmf-picture bonmf-ink" width={SIDE} height={SIDE} />;
}

/** A bar for each taste of some cups. */
function Drinks() {
  const { rows, kinds } = mixDrinks(3);
  return (
    <>
      {rows.map((row, i) => (
        <span key={kinds[i]} class="cup">
          {kinds[i]}
          <span class="levels">
            {row.map((level, t) => (
              <i key={TASTES[t]} style={{ height: `${(100 * Math.min(STRONGEST, level)) / STRONGEST}%` }} />
            ))}
          </span>
        </span>
      ))}
    </>
  );
}

function Notes() {
  const { rows } = writeNotes(2);
  return (
    <>
      {rows.map((note) => (
        <q key={note}>{note}</q>
      ))}
    </>
  );
}
