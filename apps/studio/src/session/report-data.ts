import type { ReportData } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { Source } from "../data/source.js";
import { findDates } from "./columns.js";
import type { Run } from "./fitting.js";
import { tellVectors } from "./topics.js";

/** What findings are made of. Of texts, topics are shown over time where a column has dates. */
export function gatherData(data: Data, from: Source, { topics, order }: Pick<Run, "topics" | "order">): ReportData {
  const { X, labels, ids, features, texts, image, recipe, dropped, name: source } = data;
  const dates = texts ? findDates(from, data) : null;
  const told = topics && data.told ? tellVectors(topics, data.told) : null;
  const shown = { ...recipe, ...(image && { image }) };
  return { X, labels, ids, features, texts, dates, dropped, told, starts: order.restarts, recipe: shown, source };
}
