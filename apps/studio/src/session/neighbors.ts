import type { Matrix, Neighbors } from "bonmf";
import type { Data } from "../data/build.js";
import { type Assignments, showRow } from "./explore.js";
import type { Shown } from "./fitting.js";
import type { NeighborRow } from "./protocol.js";

/** Neighbours of a sample that are shown; one more is searched, because it finds itself. */
export const NEIGHBORS = 8;

/**
 * The samples nearest to another, by angle.
 *
 * @param self the number of the other among them; null: it is new
 */
export function listNeighbors(
  data: Data,
  merged: Shown,
  assignments: Assignments,
  search: Neighbors,
  X: Matrix,
  self: number | null,
): NeighborRow[] {
  return search
    .find(X)[0]
    .filter(({ index }) => index !== self)
    .slice(0, NEIGHBORS)
    .map(({ index, closeness }) => ({ ...showRow(data, merged, assignments, index), closeness }));
}
