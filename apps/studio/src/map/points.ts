import { PointBudget } from "./budget.js";
import type { Camera, Size } from "./camera.js";
import { spreadOrder } from "./order.js";

/** Red, green, blue, alpha: 0 … 255. */
export type Rgba = readonly [number, number, number, number];

/** How points look. */
export interface Look {
  /** Colour of each group, alpha 0 where it is filtered out. */
  readonly palette: readonly Rgba[];
  /** Diameter in pixels of the page. */
  readonly size: number;
  readonly opacity: number;
}

/** Of the palette's texture, in colours. */
const WIDTH = 1024;
const VERTEX = `#version 300 es
precision highp float;
precision highp sampler2D;
in vec2 from;
in vec2 to;
in float group;
uniform sampler2D palette;
uniform float moved;
uniform float grown;
uniform vec2 scale;
uniform vec2 shift;
uniform float size;
uniform float opacity;
out vec4 colour;
void main() {
  int g = int(group + 0.5);
  colour = texelFetch(palette, ivec2(g % ${WIDTH}, g / ${WIDTH}), 0);
  vec2 at = mix(from * grown, to, moved) * scale + shift;
  gl_Position = colour.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(at, 0.0, 1.0);
  gl_PointSize = size;
  colour = vec4(colour.rgb, colour.a * opacity);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec4 colour;
uniform float size;
out vec4 ink;
void main() {
  float edge = size * (0.5 - length(gl_PointCoord - 0.5));
  float alpha = colour.a * (size < 2.5 ? 1.0 : clamp(edge, 0.0, 1.0));
  ink = vec4(colour.rgb * alpha, alpha);
}`;
/** Of a move from old places to new ones, in milliseconds. */
const MOVE = 220;
/** Opacity of points that are not selected. */
const FADED = 0.12;

/** Of the machine, for all maps. */
const budget = new PointBudget();

/** Points drawn by the graphics card: one call, whatever their number. */
export class PointCloud {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #all: Buffers;
  /** Drawn on top, all of them, while there is a selection. */
  readonly #picked: Buffers;
  #order: Uint32Array = new Uint32Array(0);
  #x: Float32Array = new Float32Array(0);
  #y: Float32Array = new Float32Array(0);
  #groups: ArrayLike<number> = new Uint8Array(0);
  #selected: Uint32Array | null = null;
  #look: Look = { palette: [], size: 3, opacity: 1 };
  #camera: Camera = { k: 1, x: 0, y: 0 };
  #size: Size = { width: 1, height: 1, unit: 1 };
  #movedAt = 0;
  /** How much smaller the map was before the move. */
  #grown = 1;
  #frame = 0;
  /** The drawing under way. */
  #measured: WebGLSync | null = null;
  /** Whether another was asked for meanwhile. */
  #late = false;
  #lost = false;
  /** Told how many points of all were drawn, whenever that changes. */
  onDrawn: (drawn: number, all: number) => void = () => {};
  #told = -1;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    gl: WebGL2RenderingContext,
  ) {
    this.#gl = gl;
    this.#program = link(gl);
    this.#all = new Buffers(gl, this.#program);
    this.#picked = new Buffers(gl, this.#program);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    canvas.addEventListener("webglcontextlost", () => {
      this.#lost = true;
    });
  }

  /** Null where the browser has no WebGL 2, or a driver that refuses our shaders. */
  static open(canvas: HTMLCanvasElement): PointCloud | null {
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true, preserveDrawingBuffer: true });
    try {
      return gl && new PointCloud(canvas, gl);
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  /**
   * New places of as many samples are moved to, others are there at once.
   *
   * @param unit the map's size from now on, see `Size`
   */
  place(x: Float32Array, y: Float32Array, unit: number, still: boolean): void {
    const same = x.length === this.#x.length && !still;
    if (x.length !== this.#order.length) this.#order = spreadOrder(x.length);
    if (x.length !== this.#groups.length) this.#groups = new Uint8Array(x.length);
    // They set out from where they are on the screen.
    this.#grown = this.#size.unit / unit;
    this.#size = { ...this.#size, unit };
    [this.#x, this.#y] = [x, y];
    if (same && this.#all.count === budget.of(x.length)) {
      this.#all.move(this.#listed(), x, y);
      this.#movedAt = performance.now();
    } else this.#fill();
    this.#pick();
    this.ask();
  }

  /** The samples that are drawn: no others are handed to the graphics card. */
  #listed(): Uint32Array {
    return this.#order.subarray(0, budget.of(this.#order.length));
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
    const count = budget.of(there.length);
    const some = Uint32Array.from({ length: count }, (_, p) => there[Math.floor((p * there.length) / count)]);
    this.#picked.set(some, this.#x, this.#y);
    this.#picked.group(some, this.#groups);
  }

  style(look: Look): void {
    this.#look = look;
    const gl = this.#gl;
    const rows = Math.max(1, Math.ceil(look.palette.length / WIDTH));
    const texels = new Uint8Array(4 * WIDTH * rows);
    look.palette.forEach((colour, g) => {
      texels.set(colour, 4 * g);
    });
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, WIDTH, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    this.ask();
  }

  resize(size: Size): void {
    const { width, height } = this.#size;
    this.#size = size;
    if (size.width === width && size.height === height) return;
    const sharp = Math.min(2, globalThis.devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(size.width * sharp));
    this.canvas.height = Math.max(1, Math.round(size.height * sharp));
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

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#lost = true;
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #draw(now = false): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#lost) return;
    // A slow machine gets no second drawing before the first is done.
    if (this.#measured && !now) {
      this.#late = true;
      return;
    }
    const gl = this.#gl;
    const { width, height } = this.#size;
    const unit = this.#camera.k * this.#size.unit;
    const centre = [this.#camera.k * (width / 2) + this.#camera.x, this.#camera.k * (height / 2) + this.#camera.y];
    const moved = Math.min(1, (performance.now() - this.#movedAt) / MOVE);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.#program);
    const set = (name: string, ...values: number[]) => {
      const where = gl.getUniformLocation(this.#program, name);
      if (values.length === 1) gl.uniform1f(where, values[0]);
      else gl.uniform2f(where, values[0], values[1]);
    };
    set("scale", (2 * unit) / width, (2 * unit) / height);
    set("shift", (2 * centre[0]) / width - 1, 1 - (2 * centre[1]) / height);
    set("moved", moved * (2 - moved));
    set("grown", this.#grown);
    const sharp = this.canvas.width / Math.max(1, width);
    set("size", Math.max(1, this.#look.size * sharp * Math.min(3, this.#camera.k ** 0.3)));
    set("opacity", this.#look.opacity * (this.#selected ? FADED : 1));
    const all = this.#x.length;
    const drawn = budget.of(all);
    if (drawn > this.#all.count) this.#fill();
    this.#all.draw(drawn);
    if (this.#selected) {
      set("opacity", Math.max(0.8, this.#look.opacity));
      this.#picked.draw(this.#picked.count);
    }
    this.#tell(drawn, all);
    if (!this.#measured) this.#measure(drawn);
    if (moved < 1) this.ask();
  }

  #tell(drawn: number, all: number): void {
    if (this.#told === drawn) return;
    this.#told = drawn;
    this.onDrawn(drawn, all);
  }

  /** Waits for the graphics card without blocking the page. */
  #measure(drawn: number): void {
    const gl = this.#gl;
    const begin = performance.now();
    this.#measured = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      const sync = this.#measured;
      if (!sync || this.#lost) return;
      if (gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(look, 4);
        return;
      }
      gl.deleteSync(sync);
      this.#measured = null;
      if (budget.record(drawn, performance.now() - begin) || this.#late) this.ask();
      this.#late = false;
    };
    setTimeout(look, 1);
  }
}

/** What one call draws. */
class Buffers {
  readonly #gl: WebGL2RenderingContext;
  readonly #array: WebGLVertexArrayObject;
  readonly #where: { readonly from: number; readonly to: number; readonly group: number };
  #from: WebGLBuffer;
  #to: WebGLBuffer;
  readonly #group: WebGLBuffer;
  count = 0;

  constructor(gl: WebGL2RenderingContext, program: WebGLProgram) {
    this.#gl = gl;
    this.#array = gl.createVertexArray();
    const find = (name: string) => gl.getAttribLocation(program, name);
    this.#where = { from: find("from"), to: find("to"), group: find("group") };
    [this.#from, this.#to, this.#group] = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
    this.#attach();
  }

  #attach(): void {
    const gl = this.#gl;
    gl.bindVertexArray(this.#array);
    const attach = (where: number, buffer: WebGLBuffer, numbers: number) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(where);
      gl.vertexAttribPointer(where, numbers, gl.FLOAT, false, 0, 0);
    };
    attach(this.#where.from, this.#from, 2);
    attach(this.#where.to, this.#to, 2);
    attach(this.#where.group, this.#group, 1);
  }

  /** Samples that are there at once. */
  set(samples: Uint32Array, x: Float32Array, y: Float32Array): void {
    this.count = samples.length;
    const places = interleave(samples, x, y);
    this.#fill(this.#from, places);
    this.#fill(this.#to, places);
  }

  /** The same samples go to new places. */
  move(samples: Uint32Array, x: Float32Array, y: Float32Array): void {
    [this.#from, this.#to] = [this.#to, this.#from];
    this.#attach();
    this.#fill(this.#to, interleave(samples, x, y));
  }

  group(samples: Uint32Array, groups: ArrayLike<number>): void {
    const values = new Float32Array(samples.length);
    for (let p = 0; p < samples.length; p++) values[p] = groups[samples[p]];
    this.#fill(this.#group, values);
  }

  draw(count: number): void {
    if (count === 0) return;
    this.#gl.bindVertexArray(this.#array);
    this.#gl.drawArrays(this.#gl.POINTS, 0, count);
  }

  #fill(buffer: WebGLBuffer, values: Float32Array): void {
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, values, this.#gl.STATIC_DRAW);
  }
}

function interleave(samples: Uint32Array, x: Float32Array, y: Float32Array): Float32Array {
  const places = new Float32Array(2 * samples.length);
  for (let p = 0; p < samples.length; p++) {
    places[2 * p] = x[samples[p]];
    places[2 * p + 1] = y[samples[p]];
  }
  return places;
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("the graphics card takes no shader");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(`the map's shaders do not link: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}
