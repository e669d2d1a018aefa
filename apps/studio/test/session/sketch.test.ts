import { Dense, type Positions, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { LocalSession } from "../../src/session/session.js";
import { sketchSamples } from "../../src/session/sketch.js";
import { findTurn, turn } from "../../src/session/turn.js";
import { FIRST_ORDER } from "../../src/state/store.js";

/** Samples around four centres. */
function makeBlobs(n: number, m: number): Dense {
  let state = 1;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const centres = Float64Array.from({ length: 4 * m }, () => 9 * draw());
  return new Dense(
    n,
    m,
    Float32Array.from({ length: n * m }, (_, p) => centres[(Math.floor(p / m) % 4) * m + (p % m)] + draw()),
  );
}

async function openBlobs(n: number) {
  const session = new LocalSession(() => {});
  await session.open([{ name: "blobs.npy", blob: new Blob([writeNpy(makeBlobs(n, 6)) as Uint8Array<ArrayBuffer>]) }]);
  await session.prepare({});
  return session;
}

describe("a first look at many samples", () => {
  it("shows some of them near where all of them appear, each time in the same places", async () => {
    const session = await openBlobs(20_000);
    const sketch = await session.sketch(FIRST_ORDER);
    const { x, y, scale, reason } = await session.chart(FIRST_ORDER);
    expect(sketch).toMatchObject({ scale, reason });
    const { of } = sketch!;
    expect(new Set(of).size).toBe(3000);
    let moved = 0;
    of.forEach((i, p) => {
      moved += Math.hypot(x[i] - sketch!.x[p], y[i] - sketch!.y[p]) / of.length;
    });
    expect(moved).toBeLessThan(0.1);
    expect(await (await openBlobs(20_000)).sketch(FIRST_ORDER)).toEqual(sketch);
  });

  it("is not taken where all are placed as soon", async () => {
    expect(await (await openBlobs(3000)).sketch(FIRST_ORDER)).toBeNull();
  });

  it("looks at fewer samples where they are wide", () => {
    const some = sketchSamples({ X: makeBlobs(900, 2000), groups: null }, "none", "cosine");
    expect(some?.of.length).toBe(500);
  });
});

describe("turning a map", () => {
  const seen: Positions = { x: Float32Array.of(0, 4, 1, 0), y: Float32Array.of(0, 0, 2, -1) };
  it.each([
    ["a quarter", [0, -1, 1, 0]],
    ["a mirror", [1, 0, 0, -1]],
    ["a turned mirror", [0.6, 0.8, 0.8, -0.6]],
  ] as const)("takes %s back, whatever the unit", (_, [a, b, c, d]) => {
    const { x, y } = turn(seen, [a, b, c, d]);
    const grown = { x: x.map((value) => 3 * value + 5), y: y.map((value) => 3 * value - 2) };
    const of = Uint32Array.of(2, 0, 1);
    const back = turn(grown, findTurn(grown, { of, x: pick(seen.x, of), y: pick(seen.y, of) })!);
    for (let i = 1; i < 4; i++) {
      expect(back.x[i] - back.x[0]).toBeCloseTo(3 * (seen.x[i] - seen.x[0]), 4);
      expect(back.y[i] - back.y[0]).toBeCloseTo(3 * (seen.y[i] - seen.y[0]), 4);
    }
  });
});

function pick(values: Float32Array, ids: Uint32Array): Float32Array {
  return Float32Array.from(ids, (i) => values[i]);
}
