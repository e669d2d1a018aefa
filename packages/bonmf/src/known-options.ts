import { OptionError, quote } from "./errors.js";
import { findNearest } from "./nearest.js";

/** Every option of T by name; the compiler finds one that is missing here. */
export type KnownOptions<T extends object> = { readonly [Name in keyof Required<T>]: true };

/**
 * Refuses options that are not known: most are misspelt, and would silently do nothing. An option whose value is
 * undefined counts as omitted.
 *
 * @param taker the function that takes the options, for the message
 */
export function checkKnown<T extends object>(options: T, known: KnownOptions<T>, taker: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new OptionError("options", options, `the options of ${taker} must be an object, not ${quote(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const near = findNearest(name, names).map((each) => JSON.stringify(each));
    const remedy = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `it takes ${names.join(", ")}`;
    throw new OptionError(name, value, `${taker} has no option ${quote(name)}: ${remedy}`);
  }
}
