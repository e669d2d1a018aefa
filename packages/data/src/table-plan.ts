import type { Size } from "./data.js";
import type { Reason } from "./decide.js";
import { UserError } from "./errors.js";
import type { Fills } from "./fills.js";
import type { Recipe } from "./recipe.js";

/** A column that becomes a feature, or one for each of its values. */
export interface PlanColumn {
  readonly column: string;
  /** Its first feature. */
  readonly at: number;
  readonly values: readonly string[] | null;
  /** Of numbers that are read from texts: their decimal mark. What is no number is missing. */
  readonly decimal: "." | "," | null;
}

/** Which columns of a table are read, and into which features. */
export interface TablePlan {
  readonly parts: readonly PlanColumn[];
  readonly features: readonly string[];
  readonly label: string | undefined;
  readonly id: string | undefined;
  readonly weight: string | undefined;
  /** The column whose words are the features; then there are no parts. */
  readonly text: string | undefined;
  readonly leftOut: ReadonlyMap<string, Reason>;
  /** What stands in for missing values; a column without one has none, or see --missing. */
  readonly fills: Fills;
  /** For each feature a number, the same for the values of one category; null where every feature is its own. */
  readonly groups: readonly number[] | null;
  /** Where the features are the pixels of a picture, most likely. */
  readonly image: Size | null;
  readonly recipe: Recipe;
  readonly notes: readonly string[];
}

/** Columns that are to be numbers and are not; whoever has the rows can name the first mistake. */
export class NotNumeric extends UserError {
  constructor(
    message: string,
    hint: string,
    /** The columns. */
    readonly columns: readonly string[],
    /** A column of which at least half are numbers. */
    readonly slip: string | undefined,
  ) {
    super(message, hint);
  }
}
