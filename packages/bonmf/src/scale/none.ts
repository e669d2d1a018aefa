import type { Kind } from "./kind.js";

/** The samples as they are. */
export const none: Kind = {
  least: {},
  endings: [""],
  fit: () => ({}),
  transform: (X) => X,
  inverse: (Z) => Z,
};
