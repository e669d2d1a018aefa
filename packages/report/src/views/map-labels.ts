import type { Findings } from "../findings.js";
import { drawPixels } from "./canvas.js";
import { type Box, findFreePlaces } from "./free-places.js";
import { shorten, widthOf } from "./letters.js";
import type { Groups } from "./map-colouring.js";

/** A sample of the map on the page, in pixels. */
export interface Spot {
  /** Its place in the lists of the map. */
  readonly p: number;
  readonly x: number;
  readonly y: number;
}

const SVG = "http://www.w3.org/2000/svg";
/** About the size of a letter of a label, in pixels. */
const LETTER = 7.6;
const LINE = 17;
/** Longest label, in characters. */
const LONGEST = 30;
/** The width of a prototype's picture. */
const PICTURE = 34;

/**
 * Labels that stand at their groups and not on each other: prototypes of pictures, else names. Large groups come first, and
 * a label without room is left out.
 */
export function drawLabels(
  findings: Findings,
  { of, marks, colours, title }: Groups,
  spots: readonly Spot[],
  width: number,
  height: number,
): SVGGElement {
  const { pictures, clusters } = findings;
  const pictureOf = (group: number) =>
    title === "clusters" && pictures && clusters[group].name === null ? clusters[group].picture : null;
  const tall = pictures ? (PICTURE * pictures.height) / pictures.width : 0;
  const members = marks.map((): Spot[] => []);
  for (const spot of spots) members[of[spot.p]].push(spot);
  const wanted = members
    .flatMap((list, group) => (list.length > 0 ? [{ group, size: list.length, at: findMiddle(list) }] : []))
    .sort((a, b) => b.size - a.size)
    .map(({ group, at }) => {
      const wide = pictureOf(group) ? PICTURE + 4 : LETTER * widthOf(shorten(marks[group], LONGEST)) + LETTER;
      const high = pictureOf(group) ? tall + 4 : LINE;
      const inside = (value: number, reach: number, side: number) =>
        Math.min(side - reach / 2, Math.max(reach / 2, value));
      return { group, box: { x: inside(at.x, wide, width), y: inside(at.y, high, height), width: wide, height: high } };
    });
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "bonmf-names");
  findFreePlaces(wanted.map(({ box }) => box)).forEach((box, w) => {
    if (!box || box.y < box.height / 2 || box.y > height - box.height / 2) return;
    const { group } = wanted[w];
    const picture = pictureOf(group);
    if (picture && pictures) layer.append(frameOf(box, colours[group]), imageOf(box, picture, pictures));
    else layer.append(textOf(box, shorten(marks[group], LONGEST)));
  });
  return layer;
}

function textOf({ x, y }: Box, text: string): SVGElement {
  const made = makeSvg("text", { x, y, dy: "0.35em", "text-anchor": "middle" });
  made.textContent = text;
  return made;
}

function frameOf({ x, y, width, height }: Box, colour: string): SVGElement {
  const made = makeSvg("rect", { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2 });
  made.setAttribute("class", "bonmf-label");
  made.style.stroke = colour;
  return made;
}

function imageOf(
  { x, y, width, height }: Box,
  greys: Uint8Array,
  pictures: NonNullable<Findings["pictures"]>,
): SVGElement {
  const href = drawPixels(greys, pictures, pictures, "").toDataURL();
  const place = { x: x - width / 2 + 2, y: y - height / 2 + 2, width: width - 4, height: height - 4 };
  return makeSvg("image", { href, ...place, class: pictures.ink ? "bonmf-glyph bonmf-inked" : "bonmf-glyph" });
}

export function makeSvg(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made as SVGElement;
}

/** The member nearest to the medians. */
function findMiddle(members: readonly Spot[]): Spot {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const x = median(members.map((spot) => spot.x));
  const y = median(members.map((spot) => spot.y));
  const distance = (spot: Spot) => (spot.x - x) ** 2 + (spot.y - y) ** 2;
  return members.reduce((best, spot) => (distance(spot) < distance(best) ? spot : best));
}
