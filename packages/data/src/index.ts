export { UserError } from "./errors.js";
export { askNearest, findNearest } from "./nearest.js";
