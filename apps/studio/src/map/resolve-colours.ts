import type { Rgba } from "./pen.js";

/** CSS colours as numbers: the graphics card knows no style sheets. */
export function resolveColours(colours: readonly string[]): Rgba[] {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const probe = document.createElement("span");
  document.body.append(probe);
  const found = colours.map((colour): Rgba => {
    probe.style.color = colour;
    if (!pen) return [128, 128, 128, 255];
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = getComputedStyle(probe).color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, alpha];
  });
  probe.remove();
  return found;
}
