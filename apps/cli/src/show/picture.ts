import { markColour, stripColours } from "./escape.js";
import { widthOf } from "./text.js";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Wider pictures are scaled down. */
const WIDEST = 32;
const SHADES = " ░▒▓█";

/**
 * A grey picture as lines of characters, each of which holds two pixels, one above the other: in 24 greys where there
 * are colours, else in five shades of ink.
 *
 * @param values width × height numbers, row by row; the largest is white
 */
export function picture(values: ArrayLike<number>, size: Size, colours: boolean): string[] {
  const { pixels, width, height } = shrink(values, size);
  const top = Math.max(...pixels);
  const at = (x: number, y: number) => (y < height && top > 0 ? Math.max(0, pixels[y * width + x]) / top : 0);
  return Array.from({ length: Math.ceil(height / 2) }, (_, line) => {
    const cells = Array.from({ length: width }, (_, x) => [at(x, 2 * line), at(x, 2 * line + 1)]);
    if (!colours) return cells.map(([above, below]) => SHADES[Math.round(((above + below) / 2) * 4)]).join("");
    const paint = ([above, below]: number[]) => `${markColour(`38;5;${grey(above)};48;5;${grey(below)}`)}▀`;
    return `${cells.map(paint).join("")}${markColour("0")}`;
  });
}

/** The 24 greys of the 256 colours. */
function grey(share: number): number {
  return 232 + Math.round(share * 23);
}

/** Averages square blocks until the picture is narrow enough. */
function shrink(values: ArrayLike<number>, size: Size): Size & { pixels: number[] } {
  const block = Math.ceil(size.width / WIDEST);
  const width = Math.ceil(size.width / block);
  const height = Math.ceil(size.height / block);
  const sums = new Array<number>(width * height).fill(0);
  const counts = new Array<number>(width * height).fill(0);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const cell = Math.floor(y / block) * width + Math.floor(x / block);
      sums[cell] += values[y * size.width + x];
      counts[cell]++;
    }
  }
  return { width, height, pixels: sums.map((sum, cell) => sum / counts[cell]) };
}

/** Places pictures with captions side by side, as many as fit the width. */
export function arrangePictures(
  pictures: readonly { caption: string; lines: readonly string[] }[],
  width: number,
): string {
  const widest = Math.max(1, ...pictures.flatMap(({ caption, lines }) => [caption, ...lines].map(widthOf)));
  const across = Math.max(1, Math.floor((width + 2) / (widest + 2)));
  const rows: string[] = [];
  for (let first = 0; first < pictures.length; first += across) {
    const some = pictures.slice(first, first + across).map(({ caption, lines }) => [caption, ...lines]);
    const tallest = Math.max(...some.map((lines) => lines.length));
    for (let line = 0; line < tallest; line++) {
      const cells = some.map((lines) => lines[line] ?? "").map((cell) => cell + " ".repeat(widest - widthOf(cell)));
      const row = cells.join("  ");
      rows.push(stripColours(row).trim() === "" ? "" : row.trimEnd());
    }
    rows.push("");
  }
  return rows.join("\n").trimEnd();
}
