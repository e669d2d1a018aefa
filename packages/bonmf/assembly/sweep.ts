// Sweeps over samples where all prototypes make one group.

import { screen } from "./int16-screen";
import { clear, listAll, prefetch, settle, listDoubtful } from "./bounds";
import { AssignState } from "./structs";
import { scoreGroup } from "./score";
import { moveSums } from "./sums";

// Sets the labels of the listed samples.
@inline export function decide<T>(p: AssignState, count: i32): void {
  const first = p.changed;
  if (p.boundsHold && p.prefetch && !p.screening) prefetch<T>(p, count);
  const left = sizeof<T>() == 4 && p.screening ? screen(p, count) : count;
  if (left > 0) {
    clear<T>(p.topScores, p.secondScores, p.topLabels, left);
    scoreGroup<T>(p.input, 0, p.listed, left, p.topScores, p.secondScores, p.topLabels);
    settle<T>(p, left);
  }
  moveSums<T>(p, first);
}

// Sweeps samples from … to − 1. Returns how many were scored.
@inline export function sweep<T>(p: AssignState, from: i32, to: i32): i32 {
  let seen: i32 = 0;
  for (let at = from; at < to; at += p.chunk) {
    const end = min<i32>(at + p.chunk, to);
    let count = end - at;
    if (p.boundsHold) count = listDoubtful(p, at, end);
    else listAll(p, at, end);
    if (count > 0) decide<T>(p, count);
    seen += count;
  }
  return seen;
}
