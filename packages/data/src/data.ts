import type { Matrix, TextList } from "bonmf";
import type { Kind } from "./kinds.js";
import type { Recipe } from "./recipe.js";

/** A class or a name: numbers where the column is of numbers. */
export type Label = string | number;

/** Of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples with what belongs to them, one entry each. */
export interface Data {
  readonly X: Matrix;
  /** m names; null where the source has none. */
  readonly features: readonly string[] | null;
  /** m numbers, the same for the values of one category, which weigh as one number; absent: every feature is its own. */
  readonly groups?: readonly number[] | null;
  /** The class of each sample, from the label column or the source's own labels; numbers stay numbers. */
  readonly labels: readonly Label[] | null;
  readonly ids: readonly Label[] | null;
  readonly weights: Float64Array | null;
  readonly kind: Kind;
  /** The documents themselves, where samples are texts. */
  readonly texts?: TextList | null;
  /** A vector for each of the texts, made by a language model. */
  readonly vectors?: Matrix | null;
  /** How the samples came to be numbers, so that others can be read the same way; kept in the model file. */
  readonly recipe: Recipe;
  /** Numbers of the table's rows that are no samples, from 0 over all files; absent where all are. */
  readonly dropped?: readonly number[];
  /** What to tell the user once: constant features, dropped rows, unused columns. */
  readonly notes: readonly string[];
}

/** Which columns of a table are what, and what to do with values that are not numbers. What is not said is decided. */
export interface TableOptions {
  readonly label?: string | undefined;
  /** No column is set aside as label. */
  readonly noLabel?: boolean | undefined;
  readonly id?: string | undefined;
  readonly weight?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Columns of categories that become one 0/1 feature per value; true: all that are not numeric. */
  readonly oneHot?: readonly string[] | true | undefined;
  /** Columns that are numbers, whatever they look like; texts in them count as missing. */
  readonly numbers?: readonly string[] | undefined;
  /** Default: the median, or the commonest category. `mask`: missing values stay NaN. */
  readonly missing?: "median" | "mean" | "zero" | "mask" | "drop" | "error" | undefined;
  /** Refuse what is not said and not plain: texts, missing values. Nothing is left out, filled or set aside. */
  readonly strict?: boolean | undefined;
  /** The column of a table that holds text. */
  readonly text?: string | undefined;
  /** Rows are documents: where no column of text is named, one that looks most like it is it, whatever else there is. */
  readonly documents?: boolean | undefined;
  /** How words of texts are counted. */
  readonly words?: WordRules | undefined;
  /** Threads that count the words of texts. Default: as many as they are worth. */
  readonly threads?: number | undefined;
  /** Bytes that the samples may take; a MemoryError refuses more. Default: by the size of the file. */
  readonly budget?: number | undefined;
  /** For predict: the features a model was fitted on, and how they were made. */
  readonly like?: Like | undefined;
}

/** Which words of texts become features. What is not said is decided. */
export interface WordRules {
  /** A code such as "de"; default: what the texts seem to be written in. */
  readonly language?: string | undefined;
  /** Words to leave out, or false for none; default: those of the language. */
  readonly stopWords?: readonly string[] | false | undefined;
  /** Words to leave out beside those. */
  readonly moreStopWords?: readonly string[] | undefined;
  /** Phrases of up to so many words are features too. Default 1. */
  readonly longest?: number | undefined;
  /** Words in fewer documents are left out; default 2, or 1 among few documents. */
  readonly minDocuments?: number | undefined;
  /** Words in a larger share of the documents are left out; default 0.5. */
  readonly maxShare?: number | undefined;
  /** Default 20,000. */
  readonly maxWords?: number | undefined;
  /** Whether words with the same stem are counted as one, where the language has a stemmer. Default false. */
  readonly stem?: boolean | undefined;
  /** These words alone; where samples are counts already, the names of their features. */
  readonly vocabulary?: readonly string[] | undefined;
}

/** The features of a model, and how they were made. */
export interface Like {
  readonly features: readonly string[] | null;
  readonly recipe: Recipe;
  readonly count: number;
  /** It leaves missing values out. */
  readonly masked?: boolean;
  /** The label of the fit is the label here too, where the table has that column and no other is named. */
  readonly labelled?: boolean;
}
