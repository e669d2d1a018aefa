import { PointBudget } from "./budget.js";
import { paintPoints } from "./paint.js";
import { interleave, type Layer, type Pen, pickGroups, type Rgba, type View } from "./pen.js";

const budget = new PointBudget();

/** Points drawn without a graphics card, pixel by pixel. */
export class PlainPen implements Pen {
  readonly budget = budget;
  readonly canvas = document.createElement("canvas");
  palette: readonly Rgba[] = [];
  /** What is drawn now. */
  view: View | null = null;
  picture: ImageData | null = null;

  makeLayer(): Layer {
    return new Places(this);
  }

  colour(palette: readonly Rgba[]): void {
    this.palette = palette;
  }

  draw(view: View, layers: () => void): void {
    this.view = view;
    this.picture = new ImageData(this.canvas.width, this.canvas.height);
    layers();
    this.canvas.getContext("2d")?.putImageData(this.picture, 0, 0);
    this.picture = null;
  }

  whenDrawn(done: () => void): void {
    done();
  }
}

class Places implements Layer {
  readonly #pen: PlainPen;
  #from: Float32Array = new Float32Array(0);
  #to: Float32Array = new Float32Array(0);
  #groups: Float32Array = new Float32Array(0);
  count = 0;

  constructor(pen: PlainPen) {
    this.#pen = pen;
  }

  set(samples: Uint32Array, x: Float32Array, y: Float32Array): void {
    this.count = samples.length;
    this.#to = interleave(samples, x, y);
    this.#from = this.#to;
  }

  move(samples: Uint32Array, x: Float32Array, y: Float32Array): void {
    this.#from = this.#to;
    this.#to = interleave(samples, x, y);
  }

  group(samples: Uint32Array, groups: ArrayLike<number>): void {
    this.#groups = pickGroups(samples, groups);
  }

  draw(count: number, opacity: number): void {
    const { picture, palette, view } = this.#pen;
    if (!picture || !view) return;
    const [from, to, groups] = [this.#from, this.#to, this.#groups];
    paintPoints(picture, { from, to, groups, count }, palette, opacity, view);
  }
}
