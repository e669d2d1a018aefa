import type { Label, Matrix } from "bonmf";
import type { Reference, Size } from "./findings.js";

/** The samples a report shows: those of the fit, or others with the same features. */
export interface ReportData {
  /** n × m, as they were given to the fit. */
  readonly X: Matrix;
  /** n classes. */
  readonly labels?: readonly Label[] | null | undefined;
  /** n names of samples; default: row numbers. */
  readonly ids?: readonly Label[] | null | undefined;
  /** m names; by default the model's. */
  readonly features?: readonly string[] | null | undefined;
  /** How the command read the samples (kept in model files): `image` shows pictures, `text` words. */
  readonly recipe?: { readonly kind?: string; readonly image?: Size; readonly text?: unknown } | null | undefined;
  /** k cluster names; "" shows the number. */
  readonly clusterNames?: readonly string[] | null | undefined;
  /** What `measureReference` found. */
  readonly reference?: Reference | null | undefined;
  readonly source?: string | null | undefined;
  /** The command line that made the model. */
  readonly command?: string | null | undefined;
}
