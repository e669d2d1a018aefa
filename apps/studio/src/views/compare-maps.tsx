import { useCallback } from "preact/hooks";
import { resolveColours } from "../map/resolve-colours.js";
import type { Comparison } from "../session/protocol.js";
import { dark } from "../state/theme.js";
import { colourIn, type Side } from "./compare-clusters.js";
import { count, plural } from "./format.js";
import { PlotCard } from "./plot-card.js";

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
          title={`Map of run ${left.run.info.id}`}
          found={found}
          side={0}
          colour={(cluster) => colourIn(left.run, cluster)}
          faint={false}
        />
        <Dots title={`Map of run ${right.run.info.id}`} found={found} side={1} colour={colourRight} faint />
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
  const moved = found.moved.reduce((sum, { samples }) => sum + samples.length, 0);
  const draw = useCallback(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 2 * EDGE;
    canvas.role = "img";
    canvas.ariaLabel = `${title}${faint ? `; ${plural(moved, "sample")} moved` : ""}`;
    const pen = canvas.getContext("2d");
    if (pen) drawDots(pen, found, side, colour, faint);
    return canvas;
  }, [title, found, side, dark.value]);
  return <PlotCard title={title} make={draw} />;
}

function drawDots(
  pen: CanvasRenderingContext2D,
  { positions: { x, y }, labels, moved }: Comparison,
  side: 0 | 1,
  colour: (cluster: number) => string,
  faint: boolean,
): void {
  const edge = pen.canvas.width;
  const n = x.length;
  const clusters = [...new Set(labels[side])];
  const resolved = resolveColours(clusters.map(colour));
  const colours = new Map(clusters.map((cluster, c) => [cluster, `rgb(${resolved[c].slice(0, 3).join(" ")})`]));
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
