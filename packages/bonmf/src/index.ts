export { Dense } from "./matrix/dense.js";
export { Sparse } from "./matrix/sparse.js";
export { AbortError, fit, fitTransform, resume } from "./model/fit.js";
export { Model } from "./model/model.js";
