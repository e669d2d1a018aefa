import { type Signal, signal } from "@preact/signals";
import { select } from "d3-selection";
import "d3-transition";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { type Box, type Camera, CLOSEST, fillFrame, frameBox, type Size, toMap, WHOLE } from "../map/camera.js";

const SOONER = 300;

/** The part of the page that a map is on: its size, its camera, and the hands that move it. */
export class Stage {
  readonly camera: Signal<Camera>;
  readonly size = signal<Size>({ width: 0, height: 0, unit: 1 });
  /** Points drawn of all; null: all of them. */
  readonly drawn = signal<{ readonly drawn: number; readonly all: number } | null>(null);
  /** What the buttons at the top right cover, in pixels. */
  readonly corner = signal<{ readonly width: number; readonly height: number }>({ width: 0, height: 0 });
  /** Whether dragging draws a lasso. */
  readonly lasso = signal(false);
  #frame: HTMLElement | null = null;
  readonly #zoom: ZoomBehavior<HTMLElement, unknown>;

  constructor(camera: Signal<Camera> = signal(WHOLE)) {
    this.camera = camera;
    this.#zoom = zoom<HTMLElement, unknown>()
      .scaleExtent([0.5, CLOSEST])
      .filter((event: Event) => this.#takes(event))
      .on("zoom", ({ transform: { k, x, y } }: D3ZoomEvent<HTMLElement, unknown>) => {
        this.camera.value = { k, x, y };
      });
  }

  /** Follows the size of an element and takes its events; call the result to let go. */
  enter(frame: HTMLElement): () => void {
    this.#frame = frame;
    const chosen = select(frame);
    const { k, x, y } = this.camera.value;
    chosen.call(this.#zoom).call(this.#zoom.transform, zoomIdentity.translate(x, y).scale(k));
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = frame;
      this.size.value = { width, height, unit: this.#unitFor(width, height) };
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(frame);
    measure();
    return () => {
      watcher.disconnect();
      chosen.on(".zoom", null);
      this.#frame = null;
    };
  }

  #unitFor: (width: number, height: number) => number = (width, height) => Math.min(width, height) / 2;

  /** The map is drawn as large as its samples allow; returns its unit. */
  hold(x: Float32Array, y: Float32Array): number {
    this.#unitFor = (width, height) => fillFrame(width, height, x, y);
    const { width, height } = this.size.peek();
    const unit = width > 0 ? this.#unitFor(width, height) : 1;
    this.size.value = { width, height, unit };
    return unit;
  }

  /** Whether the map moves: the wheel and a single finger scroll the page, unless the map has the focus or Ctrl is held. */
  #takes(event: Event): boolean {
    const focused = this.#frame?.contains(document.activeElement) ?? false;
    if (event instanceof WheelEvent) return focused || event.ctrlKey || event.metaKey;
    if (this.lasso.value) return false;
    if (event instanceof MouseEvent) return !event.button && !event.shiftKey;
    return focused || ("touches" in event && (event.touches as TouchList).length > 1);
  }

  go({ k, x, y }: Camera): void {
    if (!this.#frame) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const target = zoomIdentity.translate(x, y).scale(k);
    const chosen = select(this.#frame);
    if (still) chosen.call(this.#zoom.transform, target);
    else chosen.transition().duration(SOONER).call(this.#zoom.transform, target);
  }

  reset(): void {
    this.go(WHOLE);
  }

  show(box: Box | null): void {
    if (box) this.go(frameBox(this.size.value, box));
  }

  /** Nearer by a factor, around the middle. */
  nearer(factor: number): void {
    if (this.#frame) select(this.#frame).call(this.#zoom.scaleBy, factor);
  }

  /** Brings a place into view, if it is not. */
  reveal(px: number, py: number): void {
    const { width, height } = this.size.value;
    if (px >= 20 && py >= 20 && px <= width - 20 && py <= height - 20) return;
    const { k, x, y } = this.camera.value;
    this.go({ k, x: x + width / 2 - px, y: y + height / 2 - py });
  }

  /** Where an event is, on the page and on the map. */
  at(event: MouseEvent): { readonly pixels: [number, number]; readonly map: [number, number] } {
    const box = this.#frame?.getBoundingClientRect();
    const pixels: [number, number] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
    return { pixels, map: toMap(this.camera.value, this.size.value, ...pixels) };
  }
}
