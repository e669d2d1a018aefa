import type { Region } from "./region.js";

/** The fields of assembly/plan.ts in their order: f64 first, then 32-bit numbers and addresses. */
const NUMBERS = ["e0", "e1", "e2", "slack"] as const;
const WORDS = [
  "m",
  "sparse",
  "angular",
  "scattered",
  "lowersEach",
  "X",
  "indices",
  "values",
  "norms",
  "scales",
  "rows",
  "biases",
  "groupOf",
  "ways",
  "reaches",
  "caps",
  "owns",
  "spans",
  "tolls",
  "labels",
  "budgets",
  "uppers",
  "lowers",
  "sums",
  "grid",
  "list",
  "slots",
  "ids",
  "best",
  "second",
  "label",
  "tops",
  "runners",
  "winners",
  "masks",
  "moved",
] as const;

export type Plan = Record<(typeof NUMBERS)[number] | (typeof WORDS)[number], number>;

export const PLAN_BYTES = 8 * NUMBERS.length + 4 * WORDS.length;

/** Where everything of a one-hot sweep lies, for the kernels to read. */
export function writePlan(region: Region, at: number, plan: Plan): void {
  region.f64(at, NUMBERS.length).set(NUMBERS.map((name) => plan[name]));
  region.u32(at + 8 * NUMBERS.length, WORDS.length).set(WORDS.map((name) => plan[name]));
}

/** Writes anew what tells where the samples are. */
export function aimPlan(
  region: Region,
  at: number,
  { X, indices, values }: Pick<Plan, "X" | "indices" | "values">,
): void {
  region.u32(at + 8 * NUMBERS.length + 4 * WORDS.indexOf("X"), 3).set([X, indices, values]);
}
