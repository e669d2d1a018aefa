type Child = Node | string | null | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Strings become text nodes, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return made;
}

/** A container whose content is redrawn whenever its width changes; `drawn` is called each time. */
export function fitWidth(draw: (width: number) => Element, fixed?: number, drawn = () => {}): HTMLElement {
  const frame = element("div", { class: "bonmf-frame" });
  if (fixed !== undefined) {
    frame.append(draw(fixed));
    return frame;
  }
  let last = 0;
  const redraw = (width: number) => {
    if (width === 0 || width === last) return;
    last = width;
    frame.replaceChildren(draw(width));
    drawn();
  };
  // The observer's width: reading the element's own would lay out the whole page for each frame.
  new ResizeObserver(([{ contentRect }]) => redraw(Math.floor(contentRect.width))).observe(frame);
  frames.set(frame, redraw);
  return frame;
}

/** How each frame is drawn. */
const frames = new WeakMap<Element, (width: number) => void>();

/** What is drawn once its element comes near the screen. */
const waiting = new WeakMap<Element, () => void>();
const NEAR = "1500px";
let watcher: IntersectionObserver | null = null;

/** Draws into an element when it comes near the screen, and before the page is printed. */
export function drawNear(place: HTMLElement, draw: () => void): void {
  watcher ??= watch();
  waiting.set(place, draw);
  place.classList.add("bonmf-waiting");
  watcher.observe(place);
}

function watch(): IntersectionObserver {
  const near = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) drawWaiting(target);
  };
  const made = new IntersectionObserver(near, { rootMargin: NEAR });
  window.addEventListener("beforeprint", drawAll);
  return made;
}

/** Observers tell nothing more before the page is printed. */
function drawAll(): void {
  document.querySelectorAll(".bonmf-waiting").forEach(drawWaiting);
  for (const frame of document.querySelectorAll(".bonmf-frame:empty")) frames.get(frame)?.(frame.clientWidth);
}

function drawWaiting(place: Element): void {
  watcher?.unobserve(place);
  place.classList.remove("bonmf-waiting");
  waiting.get(place)?.();
  waiting.delete(place);
}
