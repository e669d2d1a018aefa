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
  new ResizeObserver(() => {
    const width = Math.floor(frame.clientWidth);
    if (width === 0 || width === last) return;
    last = width;
    frame.replaceChildren(draw(width));
    drawn();
  }).observe(frame);
  return frame;
}
