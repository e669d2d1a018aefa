import type { ReportData } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { Source } from "../data/source.js";
import { findDates } from "./columns.js";

/** What findings are made of. Of texts, topics are shown over time where a column has dates. */
export function gatherData(data: Data, from: Source): ReportData {
  const { X, labels, ids, features, texts, image, recipe, dropped, name: source } = data;
  const dates = texts ? findDates(from, data) : null;
  return { X, labels, ids, features, texts, dates, dropped, recipe: { ...recipe, ...(image && { image }) }, source };
}
