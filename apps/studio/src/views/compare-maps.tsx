import { useEffect, useRef } from "preact/hooks";
import type { Comparison } from "../session/protocol.js";
import { dark } from "../state/theme.js";
import { colourIn, type Side } from "./compare-clusters.js";
import { count, plural } from "./format.js";

/** More points are not drawn. */
const MOST = 20_000;
const EDGE = 460;
/** Of samples that did not move. */
const FADED = 0.3;

interface Props {
  readonly left: Side;
  readonly right: Side;
  readonly found: Comparison;
}

/** The same places in the colours of both runs; a cluster has the colour of its partner, and what moved stands out. */
export function BothMaps({ left, right, found }: Props) {
  const n = found.labels[0].length;
  const partner = new Map(found.pairs.map((pair) => [pair.right, pair.left]));
  const colourRight = (cluster: number) => {
    const same = partner.get(cluster);
    return same === null || same === undefined ? "var(--bonmf-ink)" : colourIn(left.run, same);
  };
  return (
    <section aria-labelledby="maps-title">
      <h3 id="maps-title">Both maps</h3>
      <p class="hint">
        Samples lie where the left run's map has them. At the right, clusters have the colour of their partner; samples
        that did not move are faint{n > MOST && `. ${count(MOST)} of ${plural(n, "sample")} are drawn`}.
      </p>
      <div class="both">
        <Dots
          title={`Run ${left.run.info.id}`}
          found={found}
          side={0}
          colour={(cluster) => colourIn(left.run, cluster)}
          faint={false}
        />
        <Dots title={`Run ${right.run.info.id}`} found={found} side={1} colour={colourRight} faint />
      </div>
    </section>
  );
}

interface DotsProps {
  readonly title: string;
  readonly found: Comparison;
  readonly side: 0 | 1;
  readonly colour: (cluster: number) => string;
  readonly faint: boolean;
}

function Dots({ title, found, side, colour, faint }: DotsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (pen && canvas.current) drawDots(pen, canvas.current, found, side, colour, faint);
  }, [found, side, dark.value]);
  const moved = found.moved.reduce((sum, { samples }) => sum + samples.length, 0);
  return (
    <figure class="card">
      <figcaption>{title}</figcaption>
      <canvas
        ref={canvas}
        width={2 * EDGE}
        height={2 * EDGE}
        role="img"
        aria-label={`Map of ${title}${faint ? `; ${plural(moved, "sample")} moved` : ""}`}
      />
    </figure>
  );
}

function drawDots(
  pen: CanvasRenderingContext2D,
  canvas: HTMLCanvasElement,
  { positions: { x, y }, labels, moved }: Comparison,
  side: 0 | 1,
  colour: (cluster: number) => string,
  faint: boolean,
): void {
  const edge = canvas.width;
  const n = x.length;
  const colours = new Map([...new Set(labels[side])].map((cluster) => [cluster, resolve(canvas, colour(cluster))]));
  const elsewhere = new Uint8Array(n);
  for (const { samples } of moved) for (const i of samples) elsewhere[i] = 1;
  const r = n > 5000 ? 2.5 : n > 1000 ? 4 : 6;
  pen.clearRect(0, 0, edge, edge);
  const step = Math.max(1, Math.ceil(n / MOST));
  const draw = (i: number, size: number) => {
    pen.fillStyle = colours.get(labels[side][i]) ?? "gray";
    pen.beginPath();
    pen.arc(((x[i] + 1) / 2) * edge, ((1 - y[i]) / 2) * edge, size, 0, 2 * Math.PI);
    pen.fill();
  };
  pen.globalAlpha = faint ? FADED : 0.8;
  for (let i = 0; i < n; i += step) if (!faint || !elsewhere[i]) draw(i, r);
  if (!faint) return;
  pen.globalAlpha = 1;
  for (let i = 0; i < n; i += step) if (elsewhere[i]) draw(i, 1.4 * r);
}

/** A canvas knows no variables of style sheets. */
function resolve(place: HTMLElement, colour: string): string {
  place.style.color = colour;
  const { color } = getComputedStyle(place);
  place.style.color = "";
  return color;
}
