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
    if (value === undefined) continue;
    if (Object.hasOwn(known, name)) {
      checkListener(name, value);
      continue;
    }
    const names = Object.keys(known);
    const near = findNearest(name, names).map((each) => JSON.stringify(each));
    const remedy = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `it takes ${names.join(", ")}`;
    throw new OptionError(name, value, `${taker} has no option ${quote(name)}: ${remedy}`);
  }
}

/** Signals and functions to call are used late in a fit, if at all: a mistake must not wait until then. */
function checkListener(name: string, value: unknown): void {
  if (value === null) return;
  if (/^on[A-Z]/.test(name) && typeof value !== "function") {
    throw new OptionError(name, value, `${name} must be a function, not ${quote(value)}`);
  }
  if (name === "signal" && typeof (value as Partial<AbortSignal>).throwIfAborted !== "function") {
    throw new OptionError(name, value, `signal must be an AbortSignal, not ${quote(value)}`);
  }
}
