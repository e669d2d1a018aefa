import type { Method } from "../method.js";
import type { MethodName, Settings } from "../settings.js";
import { binary } from "./binary.js";
import { bonmf } from "./bonmf.js";
import { ding } from "./ding.js";
import { em } from "./em.js";
import { hals } from "./hals.js";
import { kmeans } from "./kmeans.js";
import { kullbackLeibler } from "./kullback-leibler.js";
import { nmf } from "./nmf.js";
import { onmf } from "./onmf.js";
import { spherical } from "./spherical.js";

const table = [bonmf, spherical, kmeans, em, nmf, hals, onmf, ding, binary];

/** The family, by name. */
export const METHODS = Object.fromEntries(table.map((method) => [method.name, method])) as Record<MethodName, Method>;

/** The algorithm that settings ask for: `nmf` has one for each loss. */
export function methodOf({ method, loss }: Pick<Settings, "method" | "loss">): Method {
  return loss === "kullback-leibler" ? kullbackLeibler : METHODS[method];
}

/**
 * Whether a method takes samples with negative values: cosines and distances do not need X ≥ 0.
 *
 * @example
 * ```ts
 * import { takesSigned } from "bonmf";
 * takesSigned("kmeans"); // → true
 * takesSigned("nmf"); // → false
 * ```
 */
export function takesSigned(method: MethodName, update: Settings["update"] = "mean"): boolean {
  return METHODS[method].form === "labels" && update === "mean";
}
