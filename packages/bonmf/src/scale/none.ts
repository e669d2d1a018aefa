import type { Scaling } from "./scaling.js";

/** The samples as they are. */
export const none: Scaling = {
  least: {},
  transform: (X) => X,
  inverse: (Z) => Z,
};
