import { views } from "./lazy.js";

type Create = typeof import("regl-scatterplot")["default"];
type Plot = ReturnType<Create>;
type Points = Parameters<Plot["draw"]>[0];
type Colour = [number, number, number, number];

/** One canvas and plot for the whole page: creation is slow and browsers limit WebGL contexts. */
export interface Graphics {
  readonly canvas: HTMLCanvasElement;
  readonly plot: Plot;
  /** Called with the place of a chosen point. */
  onSample: (place: number) => void;
}

let made: Promise<Graphics | null> | null = null;

/** Null where the browser has no WebGL. Asked for early, so that it is there when a fit begins. */
export function openGraphics(): Promise<Graphics | null> {
  made ??= make();
  return made;
}

async function make(): Promise<Graphics | null> {
  if (!hasWebgl()) return null;
  const { default: create } = await import("regl-scatterplot");
  const canvas = document.createElement("canvas");
  canvas.className = "scatter";
  canvas.setAttribute("role", "img");
  // A map that was clicked takes the wheel.
  canvas.tabIndex = 0;
  canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
  const plot = create({ canvas, width: 800, height: 480, deselectOnEscape: true, colorBy: "valueA" });
  const graphics: Graphics = { canvas, plot, onSample: () => {} };
  plot.subscribe("select", ({ points }: { points: number[] }) => {
    if (points.length === 1) graphics.onSample(points[0]);
  });
  // Shaders are compiled when they are first used.
  await plot.draw([[0, 0, 0]]);
  return graphics;
}

function hasWebgl(): boolean {
  const context = document.createElement("canvas").getContext("webgl");
  const able = context?.getExtension("OES_texture_float") != null;
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return able;
}

/** Colours for a number of groups, and dots that suit a number of points. */
export function stylePoints({ plot }: Graphics, groups: number, known: boolean, count: number): void {
  const colours = Array.from({ length: Math.max(2, groups) }, (_, j) =>
    known ? (views.value?.colourOf(j, groups) ?? "gray") : "var(--bonmf-soft)",
  );
  const [backgroundColor, ...pointColor] = resolve(["var(--bonmf-paper)", ...colours]);
  const pointSize = count > 200_000 ? 1.2 : count > 20_000 ? 2 : count > 5000 ? 3 : 4.5;
  plot.set({ backgroundColor, pointColor, pointSize, opacity: count > 100_000 ? 0.35 : 0.75 });
}

export function drawPoints({ plot }: Graphics, x: Float32Array, y: Float32Array, labels: Uint32Array | null): void {
  const points = { x, y, valueA: labels ?? new Uint32Array(x.length) };
  // A drawing cancelled by the next one is not an error.
  void plot.draw(points as unknown as Points, { zDataType: "categorical" }).catch(() => undefined);
}

/** CSS colours as red, green, blue, alpha from 0 to 1: the graphics card knows no style sheets. */
function resolve(colours: readonly string[]): Colour[] {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const probe = document.createElement("span");
  document.body.append(probe);
  const found = colours.map((colour): Colour => {
    probe.style.color = colour;
    if (!pen) return [0.5, 0.5, 0.5, 1];
    pen.fillStyle = getComputedStyle(probe).color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
    return [r / 255, g / 255, b / 255, 1];
  });
  probe.remove();
  return found;
}
