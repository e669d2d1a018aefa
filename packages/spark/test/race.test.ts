import { Dense } from "bonmf";
import { openShard, type Step, totalStats } from "bonmf/engine";
import { describe, expect, it } from "vitest";
import { Race } from "../src/race.js";

const samples = 3000;
const features = 5;
const X = new Dense(
  samples,
  features,
  Float32Array.from({ length: samples * features }, (_, p) => (p < 40 ? 0 : (p * 7919) % 23 < 15 ? 0.1 : (p * 31) % 9)),
);

/** Counts what is looked at. */
async function openField() {
  const engine = await openShard(X);
  const { ranked } = totalStats(await engine.pass({ rule: "survey", k: 0, W: new Float64Array(0), rank: 1 }));
  let looked = 0;
  const rows = async (ids: readonly number[]) => {
    looked = Math.max(looked, ids.length);
    return engine.rows(ids);
  };
  return { engine, race: new Race({ samples, longest: -ranked[0].key, rows }), looked: () => looked };
}

describe("a race with few looks", () => {
  it.each([
    { fit: "cosine", unit: false },
    { fit: "cosine", unit: true },
    { fit: "distance", unit: false },
  ] as const)("has the winners of one that looks at all: %o", async (how) => {
    const { engine, race, looked } = await openField();
    let W = new Float64Array(0);
    for (let stream = 0; stream < 12; stream++) {
      const k = W.length > 0 ? 1 : 0;
      const step: Step = { rule: "race", k, W, fresh: stream === 0, seed: 5, stream, ...how };
      const { ranked } = totalStats(await engine.pass(step));
      expect(await race.run(step)).toEqual(ranked);
      W = Float64Array.from((await engine.rows([ranked[0].id])).data);
    }
    expect(looked()).toBeLessThan(samples);
  });

  it("draws several at once", async () => {
    const { engine, race } = await openField();
    const step: Step = { rule: "race", k: 0, W: new Float64Array(0), fresh: true, fit: "cosine", rank: 30, seed: 2 };
    expect(await race.run(step)).toEqual(totalStats(await engine.pass(step)).ranked);
  });

  it("ends where no sample can win", async () => {
    const engine = await openShard(new Dense(3, 1, Float32Array.of(2, 2, 2)));
    const race = new Race({ samples: 3, longest: 2, rows: (ids) => engine.rows(ids) });
    const step: Step = { rule: "race", k: 1, W: Float64Array.of(2), fresh: true, fit: "distance" };
    expect(await race.run(step)).toEqual([]);
  });
});
