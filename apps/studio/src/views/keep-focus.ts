/** Parts of the page that may take the focus over from something inside them. */
const PARTS = "section, aside, form, main";

/**
 * What has the focus may go away: a button that closes its own part, a row that is merged. The focus then goes to the part around
 * it, and is not lost to the whole page.
 */
export function keepFocus(root: Element): () => void {
  let last: Element | null = null;
  let around: readonly Element[] = [];
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    last = target;
    around = listAround(target);
  };
  const watcher = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const part = around.find((one) => one.isConnected) ?? document.querySelector("main");
    last = null;
    if (!(part instanceof HTMLElement)) return;
    if (!part.hasAttribute("tabindex")) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", remember);
  watcher.observe(root, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", remember);
    watcher.disconnect();
  };
}

/** The nearest first. */
function listAround(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = element.parentElement; at; at = at.parentElement) if (at.matches(PARTS)) found.push(at);
  return found;
}
