import type { Method } from "../method.js";
import { bonmf } from "./bonmf.js";

/** Spherical k-means: BONMF on samples scaled to length 1. What rises is Σ_i cos θ_i. */
export const spherical: Method = {
  ...bonmf,
  name: "spherical",
  reference: "Dhillon, Modha: Concept decompositions for large sparse text data using clustering, 2001",
  unit: true,
  defaults: { ...bonmf.defaults, init: "plusplus" },
};
