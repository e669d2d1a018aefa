import { makeSvg, type Spot } from "./map-labels.js";

/** How near the pointer must be, in pixels. */
const NEAR = 30;
const STEPS = new Map<string, readonly [number, number]>([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/**
 * Shows the sample under the pointer, or the one that the arrow keys reached.
 *
 * @param choose called with a sample that was clicked, or by Enter
 */
export function followPointer(
  chart: SVGSVGElement,
  spots: readonly Spot[],
  show: (p: number) => void,
  choose: (p: number) => void,
): void {
  const ring = makeSvg("circle", { class: "bonmf-ring", r: 7 });
  let at: Spot | undefined;
  const go = (spot: Spot | undefined) => {
    if (!spot || spot === at) return;
    at = spot;
    show(spot.p);
    ring.setAttribute("cx", String(spot.x));
    ring.setAttribute("cy", String(spot.y));
    chart.append(ring);
  };
  chart.addEventListener("pointermove", ({ clientX, clientY }) => {
    const { left, top, width } = chart.getBoundingClientRect();
    // The page may show the drawing smaller than it is.
    const scale = chart.width.baseVal.value / width;
    go(findNearest(spots, (clientX - left) * scale, (clientY - top) * scale));
  });
  chart.addEventListener("click", () => at && choose(at.p));
  chart.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && at) choose(at.p);
    const step = STEPS.get(event.key);
    if (!step) return;
    event.preventDefault();
    go(at ? stepFrom(at, spots, step) : spots[0]);
  });
}

export function findNearest(spots: readonly Spot[], x: number, y: number): Spot | undefined {
  let best: Spot | undefined;
  let least = NEAR * NEAR;
  for (const spot of spots) {
    const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
    if (distance < least) {
      least = distance;
      best = spot;
    }
  }
  return best;
}

/** The nearest sample in a direction; sideways distance counts more. */
export function stepFrom(from: Spot, spots: readonly Spot[], [ux, uy]: readonly [number, number]): Spot | undefined {
  let best: Spot | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    const [dx, dy] = [spot.x - from.x, spot.y - from.y];
    const ahead = dx * ux + dy * uy;
    const aside = Math.abs(dx * uy) + Math.abs(dy * ux);
    if (ahead > 0 && aside <= 2 * ahead && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = spot;
    }
  }
  return best;
}
