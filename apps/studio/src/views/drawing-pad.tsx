import { useRef } from "preact/hooks";
import type { Size } from "../data/source.js";

interface Props {
  readonly size: Size;
  /** What full ink is worth. */
  readonly most: number;
  readonly onDraw: (values: number[]) => void;
}

const EDGE = 280;

/** Paper to draw on; what is drawn becomes a sample of the data's size. */
export function DrawingPad({ size, most, onDraw }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<readonly [number, number] | null>(null);
  const height = Math.round((EDGE * size.height) / size.width);

  function place(event: PointerEvent): readonly [number, number] {
    const { left, top, width } = (event.currentTarget as Element).getBoundingClientRect();
    return [((event.clientX - left) * EDGE) / width, ((event.clientY - top) * EDGE) / width];
  }

  function stroke(event: PointerEvent): void {
    const pen = canvas.current?.getContext("2d");
    if (!pen || !last.current) return;
    const next = place(event);
    pen.lineWidth = EDGE / 11;
    pen.lineCap = "round";
    pen.beginPath();
    pen.moveTo(...last.current);
    pen.lineTo(...next);
    pen.stroke();
    last.current = next;
  }

  function end(): void {
    if (!last.current || !canvas.current) return;
    last.current = null;
    onDraw(shrink(canvas.current, size).map((ink) => ink * most));
  }

  return (
    <div class="pad">
      <canvas
        ref={canvas}
        width={EDGE}
        height={height}
        role="img"
        aria-label="Paper to draw on"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = place(event);
          stroke(event);
        }}
        onPointerMove={stroke}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => canvas.current?.getContext("2d")?.clearRect(0, 0, EDGE, height)}
        >
          Clear
        </button>
        <span class="hint">Draw large, with finger or mouse.</span>
      </div>
    </div>
  );
}

/** The share of ink in each cell. */
function shrink(canvas: HTMLCanvasElement, { width, height }: Size): number[] {
  const pen = canvas.getContext("2d");
  if (!pen) return [];
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const sums = new Array<number>(width * height).fill(0);
  const counts = new Array<number>(width * height).fill(0);
  for (let y = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++) {
      const cell = Math.floor((y * height) / canvas.height) * width + Math.floor((x * width) / canvas.width);
      sums[cell] += data[4 * (y * canvas.width + x) + 3] / 255;
      counts[cell]++;
    }
  }
  return sums.map((sum, cell) => sum / counts[cell]);
}
