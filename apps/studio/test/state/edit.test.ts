import { effect } from "@preact/signals";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { leave, openTab, setOrder, startFit } from "../../src/state/actions.js";
import {
  choose,
  mergeClusters,
  mergeSets,
  redo,
  removeRun,
  renameCluster,
  replaceOrigin,
  undo,
} from "../../src/state/edit.js";
import { openNew, openStored } from "../../src/state/open-project.js";
import { openFile, packOpen, wanting } from "../../src/state/project-file.js";
import { storage } from "../../src/state/storage.js";
import { run, shown, store } from "../../src/state/store.js";

// The worker's session in this thread, and a store in memory.
vi.mock("../../src/state/session.js", async () => {
  const { LocalSession } = await import("../../src/session/session.js");
  return { control: null, session: new LocalSession(() => {}) };
});
vi.mock("../../src/state/storage.js", () => {
  const projects = new Map();
  const parts = new Map();
  return {
    storage: {
      list: async () => [...projects.values()],
      get: async (id: string) => structuredClone(projects.get(id)),
      put: async (project: { id: string }) => projects.set(project.id, structuredClone(project)),
      getPart: async (id: string, part: number) => parts.get(`${id}/${part}`),
      putPart: async (id: string, part: number, value: unknown) => parts.set(`${id}/${part}`, value),
      tidy: async () => {},
    },
  };
});

const numbers = () => shown.value?.clusters.map(({ number }) => number);
const what = () => store.project.value?.history.steps.map((one) => one.what);

beforeAll(() => setOrder({ pace: 0 }));

beforeEach(async () => {
  await leave();
  await openNew({ example: "drinks" });
  store.order.value = { ...store.order.value, restarts: 1, pace: 0 };
  await startFit();
});

it("undoes and redoes merges and names", async () => {
  const before = shown.value;
  await mergeClusters(1, 4);
  await renameCluster(1, "dark");
  expect(numbers()).toEqual([0, 1, 2, 3, 5]);
  expect(shown.value?.clusters[1]).toMatchObject({ name: "dark", number: 1 });
  expect(what()?.slice(2)).toEqual(["the merge of Cluster 1 and Cluster 4", "the name of Cluster 1"]);
  await undo();
  expect(shown.value?.clusters[1].name).toBeNull();
  await undo();
  expect(shown.value).toEqual(before);
  await redo();
  await redo();
  expect(shown.value?.clusters[1]).toMatchObject({ name: "dark", number: 1 });
  expect(numbers()).toEqual([0, 1, 2, 3, 5]);
});

it("draws a merge and its undoing once, never old clusters with new names", async () => {
  await renameCluster(4, "fifth");
  const drawn: (string | null)[][] = [];
  const end = effect(() => void drawn.push(shown.value?.clusters.map(({ name }) => name) ?? []));
  await mergeClusters(1, 4);
  await undo();
  end();
  expect(drawn).toEqual([
    [null, null, null, null, "fifth", null],
    [null, "fifth", null, null, null],
    [null, null, null, null, "fifth", null],
  ]);
});

it("merges several sets in one step, which one undo takes back", async () => {
  await renameCluster(3, "three");
  await mergeSets([
    [0, 3],
    [5, 2, 4],
  ]);
  expect(numbers()).toEqual([0, 1, 2]);
  expect(shown.value?.clusters[0].name).toBe("three");
  await undo();
  expect(numbers()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(shown.value?.clusters[3].name).toBe("three");
});

it("brings a removed run back, and undoes a fit", async () => {
  const { info } = run.value!;
  await renameCluster(2, "kept");
  await removeRun(info.id);
  expect(store.runs.value).toEqual([]);
  await undo();
  expect(run.value?.names[2]).toBe("kept");
  expect(run.value?.info).toEqual(info);
  await undo();
  await undo();
  expect(store.runs.value).toEqual([]);
  await redo();
  expect(run.value?.info).toEqual(info);
});

it("takes a change of the reading back, with its runs", async () => {
  await renameCluster(0, "mine");
  await choose({ ...store.choice.value, exclude: ["hot"] });
  expect(store.summary.value?.features).toBe(7);
  expect(store.runs.value).toEqual([]);
  await undo();
  expect(store.summary.value?.features).toBe(8);
  expect(run.value?.names[0]).toBe("mine");
  expect(shown.value?.features).toBe(8);
});

it("keeps the runs where samples are only shown otherwise", async () => {
  const { labels } = run.value!.info;
  await choose({ ...store.choice.value, image: { width: 4, height: 2 } });
  expect(store.summary.value?.form).toBe("picture");
  expect(run.value?.info.labels).toEqual(labels);
  expect(shown.value?.form).toBe("picture");
});

it("refuses a reading that gives no samples, and changes nothing", async () => {
  const steps = what();
  await choose({ ...store.choice.value, label: "nowhere" });
  expect(store.problem.value).toContain("nowhere");
  expect(what()).toEqual(steps);
  expect(run.value).not.toBeNull();
});

it("returns to the file that was open before", async () => {
  await renameCluster(3, "back");
  await setOrder({ k: 4 });
  await startFit();
  await replaceOrigin({ example: "notes" }, "opening notes");
  expect(store.preview.value?.name).toBe("notes.csv");
  expect(store.runs.value).toEqual([]);
  await undo();
  expect(store.preview.value?.name).toBe("drinks.csv");
  expect(store.runs.value[0].names[3]).toBe("back");
  expect(store.order.value.k).toBe(4);
  await redo();
  expect(store.preview.value?.name).toBe("notes.csv");
});

it("is there again when the project is opened, with what can be undone", async () => {
  await mergeClusters(0, 1);
  const { id } = store.project.value!;
  const kept = run.value!;
  await leave();
  expect(store.preview.value).toBeNull();
  expect((await storage.list()).some((project) => project.id === id)).toBe(true);
  expect(await openStored(id)).toBe(true);
  expect(run.value).toEqual(kept);
  expect(numbers()).toEqual([0, 2, 3, 4, 5]);
  await undo();
  expect(numbers()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await openStored("nothing")).toBe(false);
});

it("has its map again where the project says which run was shown", async () => {
  const { id } = store.project.value!;
  const { info } = run.value!;
  await leave();
  const kept = (await storage.get(id))!;
  await storage.put({ ...kept, view: { ...kept.view, run: info.id } });
  await openStored(id);
  expect(shown.value?.clusters).toHaveLength(6);
  expect(store.spread.value?.x).toHaveLength(info.labels.length);
});

it("is the same from a file, with or without its data", async () => {
  const text = ["a,b", ...Array.from({ length: 40 }, (_, i) => `${1 + (i % 4)},${(i * 7) % 10}`), ""].join("\n");
  const data = { name: "small.csv", blob: new Blob([text]) };
  await openNew({ items: [data] });
  store.order.value = { ...store.order.value, k: 4, restarts: 1, pace: 0 };
  await startFit();
  await renameCluster(2, "two");
  await mergeClusters(0, 3);
  openTab("samples");
  const [kept, { value: choice }] = [run.value, store.choice];
  for (const included of [true, false]) {
    const item = { name: "small.bonmf", blob: await packOpen(included) };
    await leave();
    await openFile(item);
    if (!included) {
      expect(wanting.value?.missing).toEqual(["small.csv"]);
      await openFile(item, [{ name: "other.csv", blob: new Blob([text.replace("1", "2")]) }]);
      expect(store.problem.value).toBe("other.csv is not the file that the project was saved with");
      await openFile(item, [{ name: "moved.csv", blob: data.blob }]);
    }
    expect(wanting.value).toBeNull();
    expect(run.value).toEqual({ ...kept, info: { ...kept?.info, order: { ...kept?.info.order, pace: 0 } } });
    expect([store.tab.value, store.choice.value, store.order.value.k]).toEqual(["samples", choice, 4]);
    await mergeClusters(0, 1);
    await undo();
    expect(numbers()).toEqual([0, 1, 2]);
    expect(shown.value?.clusters[2].name).toBe("two");
  }
});
