import { element } from "./element.js";

interface Grid {
  /** What it is, for those who do not see it. */
  readonly name: string;
  readonly caption: string;
  readonly heads: readonly HTMLElement[];
  /** Each a row of the table. */
  readonly rows: readonly HTMLElement[];
  /** Of the longest number in a cell. */
  readonly digits: number;
}

const MANY = 14;

/** A matrix of numbers, in a frame: it may be wider than the screen. On paper it is as wide as the page at most. */
export function showGrid({ name, caption, heads, rows, digits }: Grid): HTMLElement {
  const table = element(
    "table",
    {
      class: heads.length > MANY ? "bonmf-matrix bonmf-dense" : "bonmf-matrix",
      style: `--bonmf-columns: ${heads.length}; --bonmf-digits: ${digits}`,
    },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("td", {}), ...heads)),
    element("tbody", {}, ...rows),
  );
  return scroll(name, table);
}

/** A frame for a table that may be wider than the screen. */
export function scroll(name: string, table: HTMLElement): HTMLElement {
  return element("div", { class: "bonmf-scroll", tabindex: "0", role: "region", "aria-label": name }, table);
}

/** The longest of them as it is shown. */
export function longest(numbers: readonly (readonly number[])[], show: (value: number) => string): number {
  return Math.max(1, ...numbers.map((row) => Math.max(...row.map((value) => show(value).length))));
}
