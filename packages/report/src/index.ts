export { findDistinctive, findMajorities, type Majority } from "./clusters.js";
export { collectFindings } from "./collect.js";
export type * from "./findings.js";
export { type Merged, mergeClusters } from "./merge.js";
export { renderPage } from "./page.js";
export { findPassage } from "./passage.js";
export { measureReference } from "./reference.js";
export type { ReportData } from "./report-data.js";
export { makeNamer } from "./sample-names.js";
