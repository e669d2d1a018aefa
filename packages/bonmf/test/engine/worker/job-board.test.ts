import { expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { JobBoard } from "../../../src/engine/worker/job-board.js";

const THREADS = 3;

async function open(): Promise<[JobBoard, JobBoard]> {
  const region = await makeRegion(0);
  const at = region!.reserve(JobBoard.bytes(THREADS));
  const [board, other] = [new JobBoard(region!, at, THREADS), new JobBoard(region!, at, THREADS)];
  board.close();
  return [board, other];
}

it.each([0, 1, 2, 3, 7, 100])("hands out each of %i units once, to each thread its own range first", async (units) => {
  const [board, other] = await open();
  board.post(1, units);
  const claimed = [other.claim(2)];
  if (units > 2) expect(claimed[0]).toBe(Math.ceil((2 * units) / THREADS));
  for (let t = 0; claimed.at(-1)! >= 0; t++) claimed.push((t % 2 ? board : other).claim(t % THREADS));
  for (let t = 0; t < THREADS; t++) expect(board.claim(t)).toBe(-1);
  claimed.pop();
  expect(claimed.sort((a, b) => a - b)).toEqual(Array.from({ length: units }, (_, unit) => unit));
});

it("lets join until it is closed, and says when all have left", async () => {
  const [board, other] = await open();
  const done: number[] = [];
  const act = (kind: number) => {
    done.push(kind);
    // While somebody is at work it cannot be closed; the next job comes after this one.
    if (kind === 1) expect(board.close()).toBe(false);
    if (done.length === 2) board.dismiss(5);
  };
  board.post(1, 4);
  other.listen(5, 0, act);
  expect(board.close()).toBe(true);
  other.listen(5, 0, act);
  expect(done).toEqual([1]);
  board.post(2, 4);
  other.listen(5, 0, act);
  other.listen(4, 0, act);
  expect(done).toEqual([1, 2]);
  other.listen(6, 0, act);
  expect(done).toEqual([1, 2, 2]);
});

it("takes units back", async () => {
  const [board, other] = await open();
  board.post(1, 10);
  expect(other.claim(0)).toBe(0);
  board.cancel();
  expect(other.claim(0)).toBe(-1);
  board.post(1, 1);
  expect(other.claim(1)).toBe(0);
});

it("remembers that somebody failed", async () => {
  const [board, other] = await open();
  board.post(1, 1);
  const fail = () => {
    throw new RangeError("no");
  };
  expect(() => other.listen(1, 0, fail)).toThrow(RangeError);
  expect(board.failed).toBe(true);
  expect(board.close()).toBe(true);
});
