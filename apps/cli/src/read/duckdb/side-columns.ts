import type { Dense } from "bonmf";
import { BadValue } from "./bad-value.js";

type Name = string | number;

/** Which column of a chunk holds what beside the features. */
export interface SideLayout {
  readonly label: { readonly at: number; readonly column: string; readonly read: (text: string) => Name } | null;
  readonly id: { readonly at: number; readonly read: (text: string) => Name } | null;
  readonly weight: { readonly at: number; readonly column: string } | null;
}

/** What is used of a chunk of DuckDB's. */
interface Cells {
  getColumnVector(at: number): { getItem(row: number): unknown };
}

/** The label, id and weight of each row. */
export class SideColumns {
  readonly labels: Name[] | null;
  readonly ids: Name[] | null;
  readonly weights: number[] | null;
  readonly #layout: SideLayout;
  readonly #drop: boolean;

  constructor(layout: SideLayout, drop: boolean) {
    this.#layout = layout;
    this.#drop = drop;
    this.labels = layout.label && [];
    this.ids = layout.id && [];
    this.weights = layout.weight && [];
  }

  /**
   * Takes rows from … to − 1 of a chunk.
   *
   * @param before rows of the table before this chunk
   * @param gone rows that are left out, counted from `from`; gets those where a name or weight is missing
   */
  append(chunk: Cells, from: number, to: number, before: number, gone: Set<number>): void {
    const { label, id, weight } = this.#layout;
    if (!label && !id && !weight) return;
    for (let i = from; i < to; i++) {
      const text = label && (chunk.getColumnVector(label.at).getItem(i) as string | null);
      const mass = weight && (chunk.getColumnVector(weight.at).getItem(i) as number | null);
      if (this.#drop && ((label && text === null) || (weight && mass === null))) gone.add(i - from);
      if (gone.has(i - from)) continue;
      if (label) {
        if (text === null) throw new BadValue(before + i, label.column, "missing", null);
        this.labels?.push(label.read(text));
      }
      if (weight) {
        if (mass === null || !(mass >= 0 && mass < Number.POSITIVE_INFINITY)) {
          throw new BadValue(before + i, weight.column, "weight", mass);
        }
        this.weights?.push(mass);
      }
      if (id) this.ids?.push(id.read((chunk.getColumnVector(id.at).getItem(i) as string | null) ?? ""));
    }
  }
}

/** What was read. */
export interface TableRows {
  readonly X: Dense;
  readonly side: SideColumns;
  /** Columns that have one value throughout. */
  readonly constant: readonly string[];
}
