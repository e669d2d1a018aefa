import type { ScaleName } from "bonmf";
import type { Data } from "../read/data.js";

/** The scaler where none was asked for: tf-idf for counts of words, else none. */
export function defaultScale({ recipe, kind }: Pick<Data, "recipe" | "kind">): ScaleName {
  return recipe.text || kind === "text" ? "tfidf" : "none";
}
