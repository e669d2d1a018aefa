import type { Camera, Size } from "./camera.js";
import { GraphicsPen } from "./graphics-pen.js";
import { spreadOrder } from "./order.js";
import type { Layer, Pen, Rgba } from "./pen.js";
import { PlainPen } from "./plain-pen.js";

/** How points look. */
export interface Look {
  /** Colour of each group, alpha 0 where it is filtered out. */
  readonly palette: readonly Rgba[];
  /** Diameter in pixels of the page. */
  readonly size: number;
  readonly opacity: number;
}

/** Of a move from old places to new ones, in milliseconds. */
const MOVE = 220;
/** Opacity of points that are not selected. */
const FADED = 0.12;

/** Points on a canvas, drawn by the graphics card where there is one: as many of them as it draws in time. */
export class PointCloud {
  #pen: Pen;
  #all: Layer;
  /** Drawn on top, all of them, while there is a selection. */
  #picked: Layer;
  #order: Uint32Array = new Uint32Array(0);
  #x: Float32Array = new Float32Array(0);
  #y: Float32Array = new Float32Array(0);
  /** The samples that the places are of; null: all. */
  #among: Uint32Array | null = null;
  #groups: ArrayLike<number> = new Uint8Array(0);
  #selected: Uint32Array | null = null;
  #look: Look = { palette: [], size: 3, opacity: 1 };
  #camera: Camera = { k: 1, x: 0, y: 0 };
  #size: Size = { width: 1, height: 1, unit: 1 };
  #movedAt = 0;
  /** How much smaller the map was before the move. */
  #grown = 1;
  #frame = 0;
  /** The pen that draws now. */
  #drawing: Pen | null = null;
  /** Whether another drawing was asked for meanwhile. */
  #late = false;
  /** Told how many points of all were drawn, whenever that changes. */
  onDrawn: (drawn: number, all: number) => void = () => {};
  #told = "";

  constructor() {
    this.#pen = this.#openGraphics(document.createElement("canvas")) ?? new PlainPen();
    this.#all = this.#pen.makeLayer();
    this.#picked = this.#pen.makeLayer();
  }

  #openGraphics(canvas: HTMLCanvasElement): Pen | null {
    const pen = GraphicsPen.open(canvas);
    if (!pen) return null;
    canvas.addEventListener("webglcontextlost", (event) => {
      // Else the browser never gives it back.
      event.preventDefault();
      this.#take(new PlainPen());
    });
    canvas.addEventListener("webglcontextrestored", () => {
      const again = GraphicsPen.open(canvas);
      if (again) this.#take(again);
    });
    return pen;
  }

  /** Goes on with another pen. */
  #take(pen: Pen): void {
    this.#pen.canvas.replaceWith(pen.canvas);
    this.#pen = pen;
    this.#drawing = null;
    this.#all = pen.makeLayer();
    this.#picked = pen.makeLayer();
    pen.colour(this.#look.palette);
    this.#fill();
    this.#pick();
    this.#fitCanvas();
  }

  /** Shows the points in an element. */
  enter(frame: HTMLElement): void {
    frame.replaceChildren(this.#pen.canvas);
  }

  leave(): void {
    this.#pen.canvas.remove();
    this.onDrawn = () => {};
    this.#told = "";
  }

  /**
   * New places of as many samples are moved to, others are there at once.
   *
   * @param unit the map's size from now on, see `Size`
   * @param among the samples that the places are of; when all follow, these are moved to
   */
  place(x: Float32Array, y: Float32Array, unit: number, still: boolean, among: Uint32Array | null = null): void {
    if (x === this.#x && y === this.#y && unit === this.#size.unit) return;
    const same = x.length === this.#x.length && !still;
    if (x.length !== this.#order.length) this.#order = spreadOrder(x.length);
    if (x.length !== this.#groups.length) this.#groups = new Uint8Array(x.length);
    // They set out from where they are on the screen.
    this.#grown = this.#size.unit / unit;
    this.#size = { ...this.#size, unit };
    const before = { x: this.#x, y: this.#y, of: this.#among };
    [this.#x, this.#y, this.#among] = [x, y, among];
    if (same && this.#all.count === this.#pen.budget.of(x.length)) {
      this.#all.move(this.#listed(), x, y);
      this.#movedAt = performance.now();
    } else {
      this.#fill();
      if (before.of && !among && !still) this.#setOut(before.of, before.x, before.y);
    }
    this.#pick();
    this.ask();
  }

  /** Some of the samples were there before, and go to their new places. */
  #setOut(some: Uint32Array, x: Float32Array, y: Float32Array): void {
    const [fromX, fromY] = [this.#x, this.#y].map((values) => values.map((value) => value / this.#grown));
    some.forEach((i, p) => {
      fromX[i] = x[p];
      fromY[i] = y[p];
    });
    this.#all.set(this.#listed(), fromX, fromY);
    this.#all.move(this.#listed(), this.#x, this.#y);
    this.#movedAt = performance.now();
  }

  /** The samples that are drawn: no others are handed to the pen. */
  #listed(): Uint32Array {
    return this.#order.subarray(0, this.#pen.budget.of(this.#order.length));
  }

  #fill(): void {
    this.#all.set(this.#listed(), this.#x, this.#y);
    this.#all.group(this.#listed(), this.#groups);
    this.#movedAt = 0;
  }

  /** @param groups a place in the palette for each sample */
  group(groups: ArrayLike<number>): void {
    this.#groups = groups;
    if (groups.length !== this.#order.length) return;
    this.#all.group(this.#order.subarray(0, this.#all.count), groups);
    this.#pick();
    this.ask();
  }

  select(samples: Uint32Array | null): void {
    this.#selected = samples;
    this.#pick();
    this.ask();
  }

  #pick(): void {
    const chosen = this.#selected ?? new Uint32Array(0);
    // Ascending; during a fit only some samples are drawn.
    const there = (chosen.at(-1) ?? 0) < this.#x.length ? chosen : new Uint32Array(0);
    const count = this.#pen.budget.of(there.length);
    const some = Uint32Array.from({ length: count }, (_, p) => there[Math.floor((p * there.length) / count)]);
    this.#picked.set(some, this.#x, this.#y);
    this.#picked.group(some, this.#groups);
  }

  style(look: Look): void {
    this.#look = look;
    this.#pen.colour(look.palette);
    this.ask();
  }

  resize(size: Size): void {
    const { width, height } = this.#size;
    this.#size = size;
    if (size.width !== width || size.height !== height) this.#fitCanvas();
  }

  #fitCanvas(): void {
    const { width, height } = this.#size;
    const sharp = Math.min(2, globalThis.devicePixelRatio || 1);
    this.#pen.canvas.width = Math.max(1, Math.round(width * sharp));
    this.#pen.canvas.height = Math.max(1, Math.round(height * sharp));
    // A canvas that was resized is empty until it is drawn.
    this.#draw(true);
  }

  look(camera: Camera): void {
    this.#camera = camera;
    this.ask();
  }

  /** Draws before the next frame. */
  ask(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(now = false): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    // A slow machine gets no second drawing before the first is done.
    if (this.#drawing && !now) {
      this.#late = true;
      return;
    }
    const begin = performance.now();
    const all = this.#x.length;
    const drawn = this.#pen.budget.of(all);
    if (drawn > this.#all.count) this.#fill();
    const { width, height, unit } = this.#size;
    const { k, x, y } = this.#camera;
    const sharp = this.#pen.canvas.width / Math.max(1, width);
    const moved = Math.min(1, (begin - this.#movedAt) / MOVE);
    const { size, opacity } = this.#look;
    const view = {
      unit: sharp * k * unit,
      centre: [sharp * (k * (width / 2) + x), sharp * (k * (height / 2) + y)] as const,
      size: Math.max(1, size * sharp * Math.min(3, k ** 0.3)),
      moved: moved * (2 - moved),
      grown: this.#grown,
    };
    this.#pen.draw(view, () => {
      this.#all.draw(drawn, opacity * (this.#selected ? FADED : 1));
      if (this.#selected) this.#picked.draw(this.#picked.count, Math.max(0.8, opacity));
    });
    this.#tell(drawn, all);
    if (moved < 1) this.ask();
    if (!this.#drawing) this.#measure(this.#pen, drawn, begin);
  }

  #tell(drawn: number, all: number): void {
    if (this.#told === `${drawn} ${all}`) return;
    this.#told = `${drawn} ${all}`;
    this.onDrawn(drawn, all);
  }

  #measure(pen: Pen, drawn: number, begin: number): void {
    this.#drawing = pen;
    pen.whenDrawn(() => {
      if (pen !== this.#drawing) return;
      this.#drawing = null;
      if (pen.budget.record(drawn, performance.now() - begin) || this.#late) this.ask();
      this.#late = false;
    });
  }
}
