import { describe, expect, it } from "vitest";
import { type ClassifierOptions, classifier } from "../../src/classify/classifier.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { draws, wholeRows } from "../synthetic.js";
import { cosine, countVoters, dot, type Grid, handmade, largest, likeness, rank, rankSamples } from "./handmade.js";

/** Angles in degrees: x0 0, x1 5.7, x2 11.3 about w0; x4 39.8, x3 45 about w2; x6 83.7, x5 90 about w1; none about w3. */
const W = [
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 1],
];
const X = [
  [10, 0],
  [10, 1],
  [10, 2],
  [5, 5],
  [6, 5],
  [0, 9],
  [1, 9],
];
const y = ["a", "b", "a", "c", "b", "c", "c"];

const query = [10, 1.4]; // 8.0°, nearest to w0
const orphan = [2, 1]; // 26.6°, on w3, whose cluster is empty; then w2 (18.4° away), then w0 (26.6°)
const between = [10, 4.2]; // 22.8°, after w3 nearest to w2, but of all samples to x2

async function explain(options: ClassifierOptions, x: number[]) {
  const clf = await classifier(handmade(W), X, y, options);
  const [{ label, cluster, share, neighbor }] = clf.explain(Dense.from([x], "f64"));
  return [label, cluster, neighbor?.index ?? null, share];
}

describe("worked by hand", () => {
  it.each<[string, ClassifierOptions, number[], unknown[]]>([
    ["a has 2 of 3 in cluster 0", { scheme: "majority" }, query, ["a", 0, null, 2 / 3]],
    ["b and c are equal in cluster 2: the first", { scheme: "majority" }, orphan, ["b", 2, null, 1 / 2]],
    ["c alone in cluster 1", { scheme: "majority" }, [0, 1], ["c", 1, null, 1]],
    ["x1 is 2.3° away, x2 3.3°", { scheme: "nearest" }, query, ["b", 0, 1, 1]],
    ["the empty cluster is passed over", { scheme: "nearest" }, orphan, ["b", 2, 4, 1]],
    ["only the home cluster counts", { scheme: "nearest" }, between, ["b", 2, 4, 1]],
    ["nearest is the default", {}, between, ["b", 2, 4, 1]],
    ["the paper's name for it", { scheme: "onmf+cos" }, between, ["b", 2, 4, 1]],
    ["x2 is closer than the home cluster", { scheme: "vote", neighbors: 1 }, between, ["a", 2, 2, 1]],
    ["two probes see x2", { scheme: "vote", neighbors: 1, probes: 2 }, between, ["a", 2, 2, 1]],
    ["one probe does not", { scheme: "vote", neighbors: 1, probes: 1 }, between, ["b", 2, 4, 1]],
    ["b, a, a", { scheme: "vote", neighbors: 3, probes: 1 }, query, ["a", 0, 2, 2 / 3]],
    ["b, a: the closest decides", { scheme: "vote", neighbors: 2 }, query, ["b", 0, 1, 1 / 2]],
    ["b, c: no more in one cluster", { scheme: "vote", neighbors: 5, probes: 1 }, orphan, ["b", 2, 4, 1 / 2]],
    ["b, a, c", { scheme: "vote", neighbors: 3, probes: 2 }, orphan, ["b", 2, 4, 1 / 3]],
    ["b, a, c, b, a: b is closer", { scheme: "vote", neighbors: 5, probes: 2 }, orphan, ["b", 2, 4, 2 / 5]],
    ["all seven, by probes", { scheme: "vote", neighbors: 7, probes: 9 }, orphan, ["c", 2, 3, 3 / 7]],
    ["all seven, exactly", { scheme: "vote", neighbors: 7 }, orphan, ["c", 2, 3, 3 / 7]],
    ["more than there are", { scheme: "vote", neighbors: 99 }, orphan, ["c", 2, 3, 3 / 7]],
    ["five is the default: a, b, a, b, c", { scheme: "vote" }, [1, 0], ["a", 0, 0, 2 / 5]],
  ])("%s", async (_name, options, x, expected) => expect(await explain(options, x)).toEqual(expected));

  it("k-means goes by distance, also past empty clusters and for zero samples", async () => {
    const model = handmade(
      [
        [9, 9],
        [1, 0.5],
        [20, 1],
        [1, 0.9],
      ],
      { method: "kmeans" },
    );
    const rows = [
      [9, 8],
      [0, 0],
      [19, 2],
    ];
    const clf = await classifier(model, rows, ["far", "zero", "flat"]);
    // By angle the first would be w0's and the second w2's; w3 is nearest to the third and has no sample.
    const found = clf.explain([
      [0.7, 0.6],
      [2, 0.1],
      [1, 1],
      [0, 0],
    ]);
    expect(found.map(({ label, cluster }) => [label, cluster])).toEqual([
      ["zero", 1],
      ["zero", 1],
      ["zero", 1],
      ["zero", 1],
    ]);
    expect(clf.predict([[15, 8]])).toEqual(["far"]);
  });
});

/** The schemes again, straight from their definitions. */
function naive(
  { W, X, y, method }: { W: Grid; X: Grid; y: number[]; method: "bonmf" | "kmeans" },
  { scheme, neighbors = 5, probes = "exact" }: ClassifierOptions,
  x: number[],
) {
  // As the sweeps round: x with w/‖w‖, or −½‖w‖² and then x with w.
  const score = (z: number[], w: number[]) => {
    if (method === "kmeans") return dot([1, ...z], [-0.5 * dot(w, w), ...w]);
    const length = Math.sqrt(dot(w, w));
    return length > 0
      ? dot(
          z,
          w.map((value) => value / length),
        )
      : 0;
  };
  const homes = X.map((z) => largest(W.map((w) => score(z, w))));
  const home = largest(W.map((w, j) => (homes.includes(j) ? score(x, w) : Number.NEGATIVE_INFINITY)));
  const byAngle = rank(W.map((w) => cosine(x, w))).filter((j) => j !== home && homes.includes(j));
  const clusters = [home, ...byAngle].slice(0, scheme === "vote" ? (probes === "exact" ? W.length : probes) : 1);
  const members = X.map((_, i) => i).filter((i) => clusters.includes(homes[i]));
  const closeness = members.map((i) => likeness(X[i], x));
  const nearest = rankSamples(closeness, members).map((p) => members[p]);
  const asked = scheme === "vote" ? neighbors : 1;
  const rows = members.map((i) => X[i]);
  const voters = scheme === "majority" ? members : nearest.slice(0, countVoters(rows, x, asked));
  const votes = [0, 1, 2].map((c) => voters.filter((i) => y[i] === c).length);
  const top = Math.max(...votes);
  const label = scheme === "majority" ? votes.indexOf(top) : y[voters.find((i) => votes[y[i]] === top) ?? -1];
  const index = voters.find((i) => y[i] === label) ?? -1;
  return {
    label,
    cluster: home,
    share: top / voters.length,
    neighbor: scheme === "majority" ? null : { index, label, closeness: likeness(X[index], x) },
  };
}

describe("against a naive implementation", () => {
  const options: ClassifierOptions[] = [
    { scheme: "majority" },
    { scheme: "nearest" },
    { scheme: "vote", neighbors: 1, probes: 1 },
    { scheme: "vote", neighbors: 4, probes: 2 },
    { scheme: "vote", neighbors: 6, probes: 3 },
    { scheme: "vote", neighbors: 4 },
    { scheme: "vote", neighbors: 60 },
  ];

  it.each(["bonmf", "kmeans"] as const)("%s: every scheme, zero rows, duplicates, empty clusters", async (method) => {
    for (let seed = 0; seed < 25; seed++) {
      const next = draws(seed);
      const rows = wholeRows(seed, 30, 3, 0.5);
      const X = [...rows, ...rows.slice(0, 8), [0, 0, 0]];
      const W = Array.from({ length: 7 }, () => Array.from({ length: 3 }, () => (next() < 0.3 ? 0 : 6 * next())));
      W[5] = [...W[2]];
      const y = X.map(() => Math.floor(3 * next()));
      const queries = [...wholeRows(seed + 100, 15, 3, 0.5), [0, 0, 0], [1, 0, 0]];
      const model = handmade(W, { method });
      for (const option of options) {
        const expected = queries.map((x) => naive({ W, X, y, method }, option, x));
        const clf = await classifier(model, Dense.from(X, "f64"), y, option);
        expect(clf.explain(Dense.from(queries, "f64"))).toMatchObject(expected);
        const sparse = await classifier(model, Sparse.fromDense(Dense.from(X, "f64")), y, option);
        expect(sparse.explain(Sparse.fromDense(Dense.from(queries, "f64")))).toMatchObject(expected);
      }
    }
  });
});

describe("schemes that must agree", () => {
  const X = wholeRows(1, 60, 4, 0.2);
  const y = X.map((_, i) => (i * 7) % 5);
  const queries = wholeRows(2, 40, 4, 0.2);
  const model = handmade(wholeRows(3, 6, 4, 0.2));
  const explainBy = async (options: ClassifierOptions) => (await classifier(model, X, y, options)).explain(queries);

  it("nearest is a vote of one neighbour with one probe", async () => {
    expect(await explainBy({ scheme: "nearest" })).toEqual(
      await explainBy({ scheme: "vote", neighbors: 1, probes: 1 }),
    );
  });

  it("onmf+cos is nearest", async () => {
    expect(await explainBy({ scheme: "onmf+cos" })).toEqual(await explainBy({ scheme: "nearest" }));
  });

  it("as many probes as clusters are exact", async () => {
    expect(await explainBy({ scheme: "vote", neighbors: 7, probes: 6 })).toEqual(
      await explainBy({ scheme: "vote", neighbors: 7 }),
    );
  });

  it("a vote of one, exactly, is the nearest sample by angle", async () => {
    const expected = queries.map((x) => rankSamples(X.map((z) => likeness(z, x)))[0]);
    const found = await explainBy({ scheme: "vote", neighbors: 1 });
    expect(found.map(({ neighbor }) => neighbor?.index)).toEqual(expected);
    expect(found.map(({ label }) => label)).toEqual(expected.map((i) => y[i]));
  });

  it.each([61, 60])("a vote of all samples is the commonest class (%i neighbours)", async (neighbors) => {
    const labels = y.map((label, i) => (i < 20 ? 9 : label));
    const clf = await classifier(model, X, labels, { scheme: "vote", neighbors });
    expect(new Set(clf.predict(queries))).toEqual(new Set([9]));
  });
});
