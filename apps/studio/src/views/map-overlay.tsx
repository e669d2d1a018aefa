import { useMemo } from "preact/hooks";
import { toScreen, unitOf } from "../map/camera.js";
import type { Contour } from "../map/contours.js";
import { type LabelBox, placeLabels } from "../map/labels.js";
import { mapView } from "../state/map.js";
import { shown } from "../state/store.js";
import { dark } from "../state/theme.js";
import type { Groups } from "./colouring.js";
import { views } from "./lazy.js";
import { labelKind, labelText, splitLetters } from "./map-labels.js";
import { pictureUrl } from "./picture-url.js";
import type { Stage } from "./stage.js";

interface Props {
  readonly stage: Stage;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly contours: readonly Contour[];
  /** Where labels stand; null until it is known. */
  readonly anchors: Float32Array | null;
  /** What is labelled; null: nothing. */
  readonly groups: Groups | null;
  /** Corners of the lasso in pixels. */
  readonly lasso: readonly (readonly [number, number])[];
}

/** What lies over the points: lines of density, labels, the lasso, a ring around one sample. */
export function MapOverlay({ stage, x, y, contours, anchors, groups, lasso }: Props) {
  const { value: camera } = stage.camera;
  const { value: size } = stage.size;
  const { value: pointed } = mapView.pointed;
  const unit = unitOf(camera, size);
  const [px, py] = toScreen(camera, size, 0, 0);
  const lines = useMemo(() => contours.map(drawRings), [contours]);
  const ring = pointed && pointed.sample < x.length && toScreen(camera, size, x[pointed.sample], y[pointed.sample]);
  return (
    <svg
      class="overlay"
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
      aria-hidden="true"
    >
      <g class="contours" transform={`translate(${px},${py}) scale(${unit},${-unit})`}>
        {lines.map((path, l) => (
          <path key={contours[l].level} d={path} vector-effect="non-scaling-stroke" />
        ))}
      </g>
      {anchors && groups && <Labels stage={stage} anchors={anchors} groups={groups} />}
      {ring && <circle class="bonmf-ring" cx={ring[0]} cy={ring[1]} r="7" />}
      {lasso.length > 1 && <path class="lasso" d={`M${lasso.map((corner) => corner.join()).join("L")}Z`} />}
    </svg>
  );
}

function drawRings({ rings }: Contour): string {
  const round = (value: number) => Math.round(1e4 * value) / 1e4;
  return rings
    .map((ring) => {
      let path = "";
      for (let c = 0; c < ring.length; c += 2) path += `${c === 0 ? "M" : "L"}${round(ring[c])},${round(ring[c + 1])}`;
      return `${path}Z`;
    })
    .join("");
}

/** About the size of a letter, in pixels. */
const LETTER = 7.4;
const LINE = 19;
const PICTURE = 30;

function Labels({
  stage,
  anchors,
  groups,
}: Required<Pick<Props, "stage">> & { anchors: Float32Array; groups: Groups }) {
  const find = views.value?.findFreePlaces;
  const kind = labelKind(groups);
  const { value: findings } = shown;
  const { value: only } = mapView.only;
  if (!find || kind === "none") return null;
  const pictures = kind === "pictures" ? (findings?.pictures ?? null) : null;
  const pictureOf = (group: number) =>
    pictures && (findings?.clusters.find(({ number }) => number === group)?.picture ?? null);
  const tall = pictures ? (PICTURE * pictures.height) / pictures.width : 0;
  const measure = (group: number): [number, number] =>
    pictureOf(group)
      ? [PICTURE + 6, tall + 6]
      : [LETTER * splitLetters(labelText(groups, kind, group)).length + LETTER, LINE];
  const counts = groups.counts.map((size, g) => (only.size === 0 || only.has(g) ? size : 0));
  const { value: size } = stage.size;
  const { width, height } = stage.corner.value;
  const buttons = { x: size.width - width / 2, y: height / 2, width, height };
  const places = placeLabels(anchors, counts, measure, stage.camera.value, size, find, [buttons]);
  return (
    <g class="labels">
      {places
        .filter(({ group }) => counts[group] > 0)
        .map(({ group, box }) => {
          const picture = pictureOf(group);
          return picture && pictures ? (
            <PictureLabel
              key={group}
              box={box}
              colour={groups.colours[group]}
              href={pictureUrl(picture, pictures, pictures.ink, dark.value)}
            />
          ) : (
            <text key={group} x={box.x} y={box.y} dy="0.35em" text-anchor="middle">
              {labelText(groups, kind, group)}
            </text>
          );
        })}
    </g>
  );
}

function PictureLabel({ box, colour, href }: { box: LabelBox; colour: string; href: string }) {
  const [left, top] = [box.x - box.width / 2 + 1, box.y - box.height / 2 + 1];
  return (
    <g class="prototype-label">
      <rect x={left} y={top} width={box.width - 2} height={box.height - 2} rx="5" style={{ stroke: colour }} />
      <image
        href={href}
        x={left + 2}
        y={top + 2}
        width={box.width - 6}
        height={box.height - 6}
        preserveAspectRatio="none"
      />
    </g>
  );
}
