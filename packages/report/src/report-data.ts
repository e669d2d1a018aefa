import type { Label, Matrix } from "bonmf";
import type { Size } from "./findings.js";

/** The samples a model is looked at with: those it was fitted on, or others of the same features. */
export interface ReportData {
  /** n × m, as they were given to the fit. */
  readonly X: Matrix;
  /** n classes. */
  readonly labels?: readonly Label[] | null | undefined;
  /** n names of samples; without, they go by their rows. */
  readonly ids?: readonly Label[] | null | undefined;
  /** m names; by default the model's. */
  readonly features?: readonly string[] | null | undefined;
  /** How samples came to be numbers, as model files of the command keep it: `image` makes pictures, `text` words. */
  readonly recipe?: { readonly kind?: string; readonly image?: Size; readonly text?: unknown } | null | undefined;
  /** k names that people gave the clusters; "" for one that goes by its number. */
  readonly clusterNames?: readonly string[] | null | undefined;
  readonly source?: string | null | undefined;
  /** The command line that made the model. */
  readonly command?: string | null | undefined;
}
