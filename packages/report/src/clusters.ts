/** What tells clusters apart, without the page and the map: for programs that only need a table. */
export { findMajorities, type Majority, matchClusters } from "./agreement.js";
export { type Found, findDistinctive } from "./distinctive-features.js";
