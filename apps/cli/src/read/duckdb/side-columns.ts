import type { Dense } from "bonmf";
import { Cell } from "./bad-value.js";

type Name = string | number;

/** Which column of a chunk holds what beside the features. */
export interface Extras {
  readonly label: { readonly at: number; readonly column: string; readonly read: (text: string) => Name } | null;
  readonly id: { readonly at: number; readonly read: (text: string) => Name } | null;
  readonly weight: { readonly at: number; readonly column: string } | null;
}

/** What is used of a chunk of DuckDB's. */
interface Cells {
  getColumnVector(at: number): { getItem(row: number): unknown };
}

/** What stands beside the features of each row. */
export class Margin {
  readonly labels: Name[] | null;
  readonly ids: Name[] | null;
  readonly weights: number[] | null;
  readonly #extras: Extras;
  readonly #drop: boolean;

  constructor(extras: Extras, drop: boolean) {
    this.#extras = extras;
    this.#drop = drop;
    this.labels = extras.label && [];
    this.ids = extras.id && [];
    this.weights = extras.weight && [];
  }

  /**
   * Takes rows from … to − 1 of a chunk.
   *
   * @param before rows of the table before this chunk
   * @param gone rows that are left out, counted from `from`; gets those where a name or weight is missing
   */
  append(chunk: Cells, from: number, to: number, before: number, gone: Set<number>): void {
    const { label, id, weight } = this.#extras;
    if (!label && !id && !weight) return;
    for (let i = from; i < to; i++) {
      const text = label && (chunk.getColumnVector(label.at).getItem(i) as string | null);
      const mass = weight && (chunk.getColumnVector(weight.at).getItem(i) as number | null);
      if (this.#drop && ((label && text === null) || (weight && mass === null))) gone.add(i - from);
      if (gone.has(i - from)) continue;
      if (label) {
        if (text === null) throw new Cell(before + i, label.column, "missing", null);
        this.labels?.push(label.read(text));
      }
      if (weight) {
        if (mass === null || !(mass >= 0 && mass < Number.POSITIVE_INFINITY)) {
          throw new Cell(before + i, weight.column, "weight", mass);
        }
        this.weights?.push(mass);
      }
      if (id) this.ids?.push(id.read((chunk.getColumnVector(id.at).getItem(i) as string | null) ?? ""));
    }
  }
}

/** What was read. */
export interface Harvest {
  readonly X: Dense;
  readonly margin: Margin;
  /** Columns that have one value throughout. */
  readonly constant: readonly string[];
}
