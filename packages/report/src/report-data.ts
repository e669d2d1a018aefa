import type { Label, Matrix, Positions, Stem, Topics } from "bonmf";
import type { Choice, Reference, Size } from "./findings.js";

/** Topics that are not told by the model's features. */
export interface ToldTopics {
  /** With their documents. */
  readonly topics: Topics;
  /** Of each of n documents, the words that tell its topic. */
  readonly words: readonly (readonly string[])[];
}

/** The samples a report shows: those of the fit, or others with the same features. */
export interface ReportData {
  /** n × m, as they were given to the fit. */
  readonly X: Matrix;
  /** n weights of the fit: those that set clusters apart count by them. Default: 1 each. */
  readonly weights?: ArrayLike<number> | null | undefined;
  /** n classes. */
  readonly labels?: readonly Label[] | null | undefined;
  /** n names of samples; default: row numbers. */
  readonly ids?: readonly Label[] | null | undefined;
  /** The rows of the file that were left out, from 0: samples are numbered by their row. */
  readonly dropped?: readonly number[] | undefined;
  /** m names; by default the model's. */
  readonly features?: readonly string[] | null | undefined;
  /** How the command read the samples (kept in model files): `image` shows pictures, `text` words. */
  readonly recipe?: { readonly kind?: string; readonly image?: Size; readonly text?: unknown } | null | undefined;
  /** Clusters taken together: for each of the k the lowest number of those it is merged with. Default: none are. */
  readonly groups?: readonly number[] | null | undefined;
  /** n documents, where samples are texts: members are shown with a passage. */
  readonly texts?: readonly string[] | null | undefined;
  /** What a word of the texts is counted as, where words were stemmed. */
  readonly countedAs?: Stem | undefined;
  /** n dates in milliseconds since 1970, null for none: topics are shown over time. */
  readonly dates?: readonly (number | null)[] | null | undefined;
  /** Topics whose model sees vectors (`X`) instead of counts of words: they are told by these words. */
  readonly told?: ToldTopics | null | undefined;
  /** k cluster names; "" shows the number. A merged cluster has the name of the lowest. */
  readonly clusterNames?: readonly string[] | null | undefined;
  /** What `measureReference` found. */
  readonly reference?: Reference | null | undefined;
  /** What `chooseK` said, where it chose k. */
  readonly choice?: Choice | null | undefined;
  /** n places of the map, where they are known already; default: found by `mapSamples`. */
  readonly positions?: Positions | null | undefined;
  readonly source?: string | null | undefined;
  /** How many starts of topics were asked for; their model says only what came of the best. Default: none was. */
  readonly starts?: number | null | undefined;
  /** The command line that made the model. */
  readonly command?: string | null | undefined;
}
