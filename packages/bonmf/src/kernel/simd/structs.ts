import type { Region } from "../region.js";

/** The fields of Deck in assembly/structs.ts in their order, 32-bit numbers and addresses. */
const DECK = ["m", "sparse", "k", "panels", "X", "indices", "values", "packed", "packedBias", "names"] as const;

export type Deck = Record<(typeof DECK)[number], number>;

export const DECK_BYTES = 4 * DECK.length;

/** The fields of Plan in their order: f64 first, those that change from step to step, then 32-bit numbers and addresses. */
const NUMBERS = ["e0", "e1", "e2", "slack", "weightGrid", "blur"] as const;
const STATE = ["bounded", "screens", "changed", "doubted", "hash0", "hash1"] as const;
const WORDS = [
  "deck",
  "m",
  "k",
  "sparse",
  "angular",
  "offset",
  "chunk",
  "scattered",
  "lowersEach",
  "X",
  "indices",
  "values",
  "norms",
  "scales",
  "weights",
  "codeBytes",
  "codes",
  "coarse",
  "codeScales",
  "tile",
  "told",
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
  "counts",
  "moved",
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
] as const;

export type Plan = Record<(typeof WORDS)[number], number>;
type Samples = Pick<Plan, "X" | "indices" | "values">;

const STATE_AT = 8 * NUMBERS.length;
const WORDS_AT = STATE_AT + 4 * STATE.length;

export const PLAN_BYTES = WORDS_AT + 4 * WORDS.length;

/** Where samples and packed prototypes lie, for the kernels to read. */
export function writeDeck(region: Region, at: number, deck: Deck): void {
  region.u32(at, DECK.length).set(DECK.map((name) => deck[name]));
}

/** Where everything of a one-hot sweep lies; what is not given is 0, and so is all that changes from step to step. */
export function writePlan(region: Region, at: number, plan: Partial<Plan>): void {
  region.u32(at, WORDS_AT / 4).fill(0);
  region.u32(at + WORDS_AT, WORDS.length).set(WORDS.map((name) => plan[name] ?? 0));
}

/** What of a plan is another for each step. */
export interface Turn {
  readonly error: readonly [e0: number, e1: number, e2: number];
  readonly slack: number;
  readonly bounded: boolean;
  readonly rough: { readonly blur: number; readonly screens: boolean } | null;
}

/** Makes ready for a step: no sample has moved yet. */
export function writeTurn(region: Region, at: number, turn: Turn, weightGrid: number): void {
  const { error, slack, bounded, rough } = turn;
  const { blur = 0, screens = false } = rough ?? {};
  region.f64(at, NUMBERS.length).set([...error, slack, weightGrid, blur]);
  region.u32(at + STATE_AT, 4).set([+bounded, +screens, 0, 0]);
}

/** What a sweep has come to: how many samples moved, how many 16 bits left in doubt, and the fingerprint of all labels. */
export function readState(region: Region, at: number): Record<"changed" | "doubted" | "hash0" | "hash1", number> {
  const [, , changed, doubted, hash0, hash1] = region.u32(at + STATE_AT, STATE.length);
  return { changed, doubted, hash0, hash1 };
}

/** Writes anew what tells where the samples are. */
export function aimPlan(region: Region, at: number, { X, indices, values }: Samples): void {
  region.u32(at + WORDS_AT + 4 * WORDS.indexOf("X"), 3).set([X, indices, values]);
}

export function aimDeck(region: Region, at: number, { X, indices, values }: Samples): void {
  region.u32(at + 4 * DECK.indexOf("X"), 3).set([X, indices, values]);
}
