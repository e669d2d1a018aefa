import { PointBudget } from "./budget.js";
import { interleave, type Layer, type Pen, pickGroups, type Rgba, type View } from "./pen.js";

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
const budget = new PointBudget();

/** Points drawn by the graphics card: one call, whatever their number. */
export class GraphicsPen implements Pen {
  readonly budget = budget;
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #uniforms = new Map<string, WebGLUniformLocation | null>();
  #sync: WebGLSync | null = null;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    gl: WebGL2RenderingContext,
  ) {
    this.#gl = gl;
    this.#program = link(gl);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const name of ["scale", "shift", "moved", "grown", "size", "opacity"]) {
      this.#uniforms.set(name, gl.getUniformLocation(this.#program, name));
    }
  }

  /** Null where the browser has no WebGL 2, or a driver that refuses our shaders. */
  static open(canvas: HTMLCanvasElement): GraphicsPen | null {
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true, preserveDrawingBuffer: true });
    try {
      return gl && !gl.isContextLost() ? new GraphicsPen(canvas, gl) : null;
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  makeLayer(): Layer {
    return new Buffers(this.#gl, this.#program, (opacity) => this.#set("opacity", opacity));
  }

  colour(palette: readonly Rgba[]): void {
    const gl = this.#gl;
    const rows = Math.max(1, Math.ceil(palette.length / WIDTH));
    const texels = new Uint8Array(4 * WIDTH * rows);
    palette.forEach((colour, g) => {
      texels.set(colour, 4 * g);
    });
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, WIDTH, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  }

  draw({ unit, centre, size, moved, grown }: View, layers: () => void): void {
    const gl = this.#gl;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.#program);
    this.#set("scale", (2 * unit) / width, (2 * unit) / height);
    this.#set("shift", (2 * centre[0]) / width - 1, 1 - (2 * centre[1]) / height);
    this.#set("moved", moved);
    this.#set("grown", grown);
    this.#set("size", size);
    layers();
  }

  #set(name: string, ...values: number[]): void {
    const where = this.#uniforms.get(name) ?? null;
    if (values.length === 1) this.#gl.uniform1f(where, values[0]);
    else this.#gl.uniform2f(where, values[0], values[1]);
  }

  /** Waits for the graphics card without blocking the page; never ends where the card is lost. */
  whenDrawn(done: () => void): void {
    const gl = this.#gl;
    this.#sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      const sync = this.#sync;
      if (!sync || gl.isContextLost()) return;
      if (gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(look, 4);
        return;
      }
      gl.deleteSync(sync);
      this.#sync = null;
      done();
    };
    setTimeout(look, 1);
  }
}

/** What one call draws. */
class Buffers implements Layer {
  readonly #gl: WebGL2RenderingContext;
  readonly #array: WebGLVertexArrayObject;
  readonly #where: { readonly from: number; readonly to: number; readonly group: number };
  #from: WebGLBuffer;
  #to: WebGLBuffer;
  readonly #group: WebGLBuffer;
  count = 0;

  constructor(
    gl: WebGL2RenderingContext,
    program: WebGLProgram,
    private readonly setOpacity: (opacity: number) => void,
  ) {
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

  set(samples: Uint32Array, x: Float32Array, y: Float32Array): void {
    this.count = samples.length;
    const places = interleave(samples, x, y);
    this.#fill(this.#from, places);
    this.#fill(this.#to, places);
  }

  move(samples: Uint32Array, x: Float32Array, y: Float32Array): void {
    [this.#from, this.#to] = [this.#to, this.#from];
    this.#attach();
    this.#fill(this.#to, interleave(samples, x, y));
  }

  group(samples: Uint32Array, groups: ArrayLike<number>): void {
    this.#fill(this.#group, pickGroups(samples, groups));
  }

  draw(count: number, opacity: number): void {
    if (count === 0) return;
    this.setOpacity(opacity);
    this.#gl.bindVertexArray(this.#array);
    this.#gl.drawArrays(this.#gl.POINTS, 0, count);
  }

  #fill(buffer: WebGLBuffer, values: Float32Array): void {
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, values, this.#gl.STATIC_DRAW);
  }
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
