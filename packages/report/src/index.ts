export { findMajorities, type Majority } from "./agreement.js";
export { collectFindings } from "./collect.js";
export { findDistinctive } from "./distinctive-features.js";
export type * from "./findings.js";
export { renderPage } from "./page.js";
export type { ReportData } from "./report-data.js";
