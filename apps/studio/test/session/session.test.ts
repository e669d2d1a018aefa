import { loadModel } from "bonmf";
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer, Event } from "../../src/session/protocol.js";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const order = { ...FIRST_ORDER, k: 6, pace: 0 };

describe("the session", () => {
  const events: Event[] = [];
  const session = new LocalSession((event) => events.push(event));
  beforeAll(async () => {
    const preview = await session.openExample("drinks");
    expect(preview).toMatchObject({ rows: 480, form: "table" });
    expect(await session.prepare(preview.choice)).toMatchObject({ samples: 480, features: 8, k: 6 });
    expect(await session.chart(order)).toMatchObject({ scale: "lift", reason: "the features have different units" });
    const { state } = await session.fit(1, order, null);
    expect(state).toBe("done");
  });

  it("tells every step, with labels and words now and then", () => {
    const steps = events.flatMap((event) => (event.type === "step" ? [event.step] : []));
    expect(steps.length).toBeGreaterThan(1);
    const first = steps.filter(({ restart }) => restart === 0);
    expect(first.map(({ iteration }) => iteration)).toEqual(first.map((_, i) => i + 1));
    expect(new Set(steps.map(({ restart }) => restart)).size).toBe(10);
    expect(steps[0].labels).toHaveLength(480);
    expect(steps[0].snapshot?.words).toHaveLength(6);
  });

  it("tells the clusters of methods whose samples have several parts, too", async () => {
    const order = { ...FIRST_ORDER, k: 3, method: "nmf", scale: "none", restarts: 1, pace: 0 } as const;
    events.length = 0;
    const { info } = await session.fit(5, order, null);
    const [last] = events
      .flatMap((event) => (event.type === "step" && event.step.labels ? [event.step.labels] : []))
      .slice(-1);
    expect(new Set(last).size).toBe(3);
    expect(last.filter((cluster, i) => cluster === info!.labels[i]).length).toBeGreaterThan(240);
    await session.forget(5);
  });

  it("stops and goes on to the same result", async () => {
    const control = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    expect(await session.fit(2, order, control)).toMatchObject({ state: "stopped", info: { iterations: 1 } });
    control.fill(0);
    const { info } = await session.resume(2, order, control);
    const [a, b] = [loadModel(await session.save(1), "a"), loadModel(await session.save(2), "b")];
    expect(b.potential).toBe(a.potential);
    expect(Array.from(info?.labels ?? [])).toEqual(Array.from(a.labels));
  });

  it("begins again where it was stopped before the first sweep", async () => {
    const fitting = session.fit(9, order, null);
    await session.stop();
    expect(await fitting).toEqual({ state: "stopped", info: null });
    const { info } = await session.resume(9, order, null);
    expect(info?.potential).toBe(loadModel(await session.save(1), "a").potential);
    await session.forget(9);
  });

  it("finds samples by cluster, label and name", async () => {
    const query = { cluster: null, label: null, text: "", sort: "typical", from: 0, count: 5 } as const;
    const all = await session.find(1, query);
    expect(all.total).toBe(480);
    const { cosine } = all.rows[0];
    expect(all.rows.every((row) => row.cosine <= cosine)).toBe(true);
    expect((await session.find(1, { ...query, label: "cola" })).total).toBe(80);
    expect((await session.find(1, { ...query, text: "cup 123" })).rows.map(({ id }) => id)).toEqual(["cup 123"]);
    const { cluster } = all.rows[0];
    const members = await session.find(1, { ...query, cluster, count: 480 });
    expect(members.rows.every((row) => row.cluster === cluster)).toBe(true);
    const detail = await session.sample(1, all.rows[0].sample);
    expect(detail.cells).toHaveLength(8);
    expect(detail.reasons.map(({ name }) => name).sort()).toEqual(detail.cells.map(([name]) => name).sort());
    const plain = { ...order, scale: "none" } as const;
    await session.fit(3, plain, null);
    const { reasons, margin } = await session.sample(3, all.rows[0].sample);
    expect(reasons.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(margin, 4);
  });

  it("has the first samples as pictures, whatever their size", async () => {
    const other = new LocalSession(() => {});
    const [width, height] = [20, 15];
    const names = Array.from({ length: width * height }, (_, p) => `p${p}`);
    const rows = Array.from({ length: 50 }, (_, i) => names.map((_, p) => (p % 50 === i ? 9 : 0)).join());
    const blob = new Blob([`${names}\n${rows.join("\n")}\n`]);
    const { choice } = await other.open([{ name: "p.csv", blob }]);
    const { pictures } = await other.prepare({ ...choice, image: { width, height } });
    expect(pictures).toHaveLength(40);
    expect(Array.from(pictures![3].subarray(0, 5))).toEqual([0, 0, 0, 255, 0]);
    expect((await other.prepare({ ...choice, image: null })).pictures).toBeNull();
    const sparse = new LocalSession(() => {});
    const lines = Array.from({ length: 20 }, (_, i) => `1 ${i + 1}:9 300:1\n`);
    const opened = await sparse.open([{ name: "p.svm", blob: new Blob(lines) }]);
    const summary = await sparse.prepare({ ...opened.choice, image: { width, height } });
    expect(Array.from(summary.pictures![2].subarray(0, 4))).toEqual([0, 0, 255, 0]);
  });

  it("classifies what is typed, and says why", async () => {
    const answer = (await session.classify(1, { type: "values", values: [9, 1, 2, 0, 1, 10, 8, 0] })) as Answer;
    expect(answer.label).toBe("espresso");
    expect(answer.neighbors).toHaveLength(8);
    expect(answer.neighbors.every(({ label }) => label === "espresso")).toBe(true);
    expect(answer.closest[0]).toEqual({ cluster: answer.cluster, cosine: expect.closeTo(answer.cosine, 6) });
  });

  it("says which value it refuses, and why", async () => {
    await session.fit(4, { ...order, method: "nmf", scale: "none" }, null);
    expect(await session.classify(4, { type: "values", values: [9, 1, -2, 0, 1, 10, 8, 0] })).toEqual({
      refused: "sour cannot be -2: this method and scaling need values of 0 or more.",
      feature: 2,
    });
    expect(await session.classify(1, { type: "values", values: [1, 2] })).toEqual({
      refused: "It has 2 values; the samples have 8.",
      feature: null,
    });
    expect(await session.classify(1, { type: "picture", blob: new Blob() })).toMatchObject({
      refused: "The samples of this run are no pictures.",
    });
  });

  it("finds the nearest samples of one, itself not among them", async () => {
    const near = await session.neighbors(1, 17);
    expect(near).toHaveLength(8);
    expect(near.some(({ sample }) => sample === 17)).toBe(false);
    const closeness = near.map((one) => one.closeness);
    expect(closeness).toEqual([...closeness].sort((a, b) => b - a));
    const again = await session.neighbors(1, near[0].sample);
    expect(again.map(({ sample }) => sample)).toContain(17);
  });

  it("shows texts with the words of their cluster marked: a passage in lists, all of one", async () => {
    const texts = new LocalSession(() => {});
    await texts.prepare((await texts.openExample("notes")).choice);
    await texts.fit(1, { ...order, k: 5 }, null);
    const query = { cluster: null, label: "food", text: "garlic", sort: "order", from: 0, count: 3 } as const;
    const [{ passage, sample }] = (await texts.find(1, query)).rows;
    expect(passage.filter(({ marked }) => marked).map((piece) => piece.text)).toContain("garlic");
    const whole = await texts.sample(1, sample);
    const joined = whole.passage.map((piece) => piece.text).join("");
    expect(joined).toMatch(/^[A-Z].*garlic.*\.$/);
    expect(joined).not.toContain("…");
  });

  it("compares runs", async () => {
    const { ari, findings } = await session.compare(1, 2);
    expect(ari).toBe(1);
    expect(findings.agreement?.classes).toHaveLength(6);
  });

  it("matches the clusters of two runs, and lists the samples that moved", async () => {
    await session.fit(5, { ...order, k: 7, seed: 3 }, null);
    const { pairs, moved, labels, positions } = await session.compare(1, 5);
    expect(pairs).toHaveLength(7);
    expect(pairs.filter(({ left }) => left === null)).toHaveLength(1);
    expect(new Set(pairs.map(({ right }) => right)).size).toBe(7);
    const shared = pairs.reduce((sum, pair) => sum + pair.shared, 0);
    expect(shared + moved.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(480);
    expect(positions.x).toHaveLength(480);
    const partner = new Map(pairs.map(({ left, right }) => [left, right]));
    for (const { from, to, samples } of moved) {
      expect(partner.get(from)).not.toBe(to);
      expect(Array.from(samples, (i) => [labels[0][i], labels[1][i]])).toEqual(Array.from(samples, () => [from, to]));
    }
    const same = await session.compare(1, 2);
    expect(same.moved).toEqual([]);
    expect(same.pairs.every(({ shared, sizes }) => shared === sizes[0] && shared === sizes[1])).toBe(true);
  });

  it("recommends a number of clusters; a search that was stopped goes on", async () => {
    events.length = 0;
    const ks = [4, 5, 6, 7, 8];
    const stopping = new LocalSession((event) => {
      if (event.type === "search" && event.search.trial?.k === 5) void stopping.stop();
    });
    const { choice } = await stopping.openExample("drinks");
    await stopping.prepare(choice);
    const half = await stopping.choose(order, ks);
    expect(half.complete).toBe(false);
    expect(half.trials.map(({ k }) => k)).toEqual([4, 5]);
    const whole = await session.choose(order, ks);
    expect(whole).toMatchObject({ complete: true, k: 6, structure: true });
    const told = events.flatMap((event) => (event.type === "search" ? [event.search] : []));
    expect(told.filter(({ done }) => done > 0).map(({ trial }) => trial?.k)).toEqual([undefined, ...ks]);
    expect(told.filter(({ done, measured }) => done === 0 && measured < 1).length).toBeGreaterThan(10);
    expect(await stopping.choose(order, ks)).toEqual(whole);
    const { scaler } = loadModel(await session.save(1));
    expect(whole.scale).toBe(scaler.name);
  });

  it("writes assignments with names and merges", async () => {
    const names = ["x", "", "", "", "", "y, z"];
    await session.merge(1, [0, 0, 0, 0, 0, 5]);
    const lines = (await session.assignments(1, names)).split("\n");
    expect(lines[0]).toBe("cup,bitter,sweet,sour,milky,fruity,strong,hot,fizzy,kind,cluster,name,cosine,margin");
    expect(lines).toHaveLength(482);
    expect(lines[1]).toMatch(/^cup 1,(\d[\d.]*,){8}espresso,(0,x|5,"y, z"),0\.\d+,-?0\.\d+$/);
    await session.merge(1, [0, 1, 2, 3, 4, 5]);
  });

  it("tells everything of the clusters shown after a merge", async () => {
    const groups = [0, 1, 1, 3, 4, 1];
    const { nmi, ari, accuracy, explained, counts, labels } = await session.merge(1, groups);
    const { run, agreement, clusters } = await session.findings(1);
    expect({ nmi, ari, accuracy, explained }).toEqual({
      nmi: agreement?.nmi,
      ari: agreement?.ari,
      accuracy: agreement?.labelAccuracy,
      explained: run.explained,
    });
    expect(counts).toHaveLength(6);
    const shown = Array.from(labels, (cluster) => groups[cluster]);
    expect(clusters.map(({ number, size }) => [number, size])).toEqual(
      [0, 1, 3, 4].map((number) => [number, shown.filter((one) => one === number).length]),
    );
    const query = { cluster: 1, label: null, text: "", sort: "typical", from: 0, count: 1 } as const;
    const { total, rows } = await session.find(1, query);
    expect(total).toBe(clusters[1].size);
    expect(rows[0].cosine).toBeCloseTo(clusters[1].typical[0].cosine, 6);
    const { rival } = await session.sample(1, rows[0].sample);
    expect([0, 3, 4]).toContain(rival);
    const lines = (await session.assignments(1, null)).trimEnd().split("\n").slice(1);
    expect(lines.map((line) => Number(line.split(",").at(-3)))).toEqual(shown);
    expect(lines.map((line) => Number(line.split(",").at(-2)))[rows[0].sample]).toBeCloseTo(rows[0].cosine, 6);
    expect(loadModel(await session.save(1)).tags.clusterGroups).toBe(JSON.stringify(groups));
    await session.merge(1, [0, 1, 2, 3, 4, 5]);
    expect(loadModel(await session.save(1)).tags.clusterGroups).toBeUndefined();
    expect((await session.findings(1)).run).toMatchObject({ k: 6, fitted: 6 });
  });

  it("puts names into the model's file, and nothing where there are none", async () => {
    const names = ["", "y, z", "", "", "", ""];
    expect(loadModel(await session.save(1, names)).tags.clusterNames).toBe(JSON.stringify(names));
    expect(await session.save(1, names.fill(""))).toEqual(await session.save(1));
  });

  it("maps the samples from themselves alone: every run has the same map", async () => {
    const { map } = await session.findings(1);
    const { x, y } = await session.spread(1);
    expect([map.x, map.y]).toEqual([x, y]);
    expect(Math.max(...x, ...y)).toBeLessThanOrEqual(1);
    expect(Math.max(...x) - Math.min(...x)).toBeGreaterThan(1);
    await session.fit(7, { ...order, k: 3, seed: 5 }, null);
    expect(await session.spread(7)).toMatchObject({ x, y });
    await session.forget(7);
  });

  it("forgets runs when the columns change", async () => {
    const { choice } = await session.openExample("drinks");
    await session.prepare({ ...choice, exclude: ["hot"] });
    await expect(session.findings(1)).rejects.toThrow("this run is gone");
  });
});

it("numbers samples by the rows of the file", async () => {
  const session = new LocalSession(() => {});
  const lines = Array.from({ length: 30 }, (_, i) => (i === 4 || i === 9 ? `,${i}` : `${1 + (i % 3)},${i % 7}`));
  const { choice } = await session.open([{ name: "holes.csv", blob: new Blob([["a,b", ...lines, ""].join("\n")]) }]);
  await session.prepare({ ...choice, missing: "drop" });
  await session.fit(1, { ...order, k: 2 }, null);
  const query = { cluster: null, label: null, text: "", sort: "order", from: 0, count: 30 } as const;
  const { rows } = await session.find(1, query);
  const wanted = lines.flatMap((line, i) => (line.startsWith(",") ? [] : [`sample ${i + 1}`]));
  expect(rows.map(({ id }) => id)).toEqual(wanted);
  expect((await session.findings(1)).map.ids).toEqual(wanted);
});
