import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { isProject, isReferred, type ProjectFile, readProject, writeProject } from "../src/project-file.js";
import type { ZipCodec } from "../src/zip.js";
import { HOSTILE_NAMES } from "./fixtures/hostile-names.js";
import { zip } from "./fixtures/zip.js";

const codec: ZipCodec = { inflate: async () => undefined, crc32, most: 2 ** 30 };
const bytes = new TextEncoder().encode("a,b\n1,2\n");
const run = {
  id: 3,
  order: { k: 2 },
  seconds: 0.5,
  groups: [0, 0],
  names: ["x, y", ""],
  model: new Uint8Array([1, 2, 3]),
};
const source = { name: "a.csv", path: null, size: bytes.length, checksum: crc32(bytes), bytes };
const project: ProjectFile = {
  name: "mine",
  data: { part: { what: "sheet", name: "S 1" }, files: [source] },
  choice: { label: null },
  runs: [run],
  view: { tab: "fit" },
  current: 3,
};
const pack = (one: ProjectFile) => new Uint8Array(Buffer.concat(writeProject(one, codec)));

it("comes back as it was, with its data", async () => {
  const file = pack(project);
  expect(isProject(file)).toBe(true);
  expect(isProject(bytes)).toBe(false);
  expect(await readProject(file, "mine.bonmf", codec)).toEqual(project);
});

it("names its data where that stays elsewhere, or the example", async () => {
  const data = { part: null, files: [{ ...source, path: "folder/a.csv", bytes: null }] };
  const back = await readProject(pack({ ...project, data }), "mine.bonmf", codec);
  expect(back.data).toEqual(data);
  expect(isReferred(source, bytes, codec)).toBe(true);
  expect(
    isReferred(
      source,
      bytes.map((byte) => byte ^ 1),
      codec,
    ),
  ).toBe(false);
  expect(isReferred(source, bytes.subarray(1), codec)).toBe(false);
  const example = { ...project, data: { example: "drinks" } };
  expect(await readProject(pack(example), "mine.bonmf", codec)).toEqual(example);
});

it("keeps any name", async () => {
  for (const name of Object.values(HOSTILE_NAMES)) {
    const data = { part: null, files: [{ ...source, name, path: name }] };
    const hostile = { ...project, name, data, runs: [{ ...run, names: [name, name] }] };
    expect(await readProject(pack(hostile), "mine.bonmf", codec)).toEqual(hostile);
  }
});

const change = (edit: (about: Record<string, unknown>) => unknown) => {
  const about = {
    bonmf: 1,
    name: "mine",
    data: { part: null, files: [] },
    runs: [{ id: 3, order: {}, seconds: 1, groups: [0, 0], names: ["", ""] }],
    current: 3,
  };
  const content = new TextEncoder().encode(JSON.stringify(edit(about) ?? about));
  return zip([
    { name: "bonmf-project.json", content },
    { name: "runs/3.safetensors", content: run.model },
  ]);
};

it.each([
  ["is no JSON", () => zip([{ name: "bonmf-project.json", content: bytes }])],
  ["bonmf-project.json is missing", () => zip([{ name: "other.json", content: bytes }])],
  ["bonmf-project.json is no object", () => change(() => [1])],
  ["later version", () => change((about) => ({ ...about, bonmf: 2 }))],
  ["runs is no list", () => change((about) => ({ ...about, runs: {} }))],
  ["the run that was shown is missing", () => change((about) => ({ ...about, current: 4 }))],
  ["name is no text", () => change((about) => ({ ...about, name: 5 }))],
  ["the merges of run 3", () => change((about) => ({ ...about, runs: [{ ...run, groups: [1, 1] }] }))],
  ["the names of run 3", () => change((about) => ({ ...about, runs: [{ ...run, names: [] }] }))],
  ["the time of run 3", () => change((about) => ({ ...about, runs: [{ ...run, seconds: "1" }] }))],
  ["runs/9.safetensors is missing", () => change((about) => ({ ...about, runs: [{ ...run, id: 9 }] }))],
  ["data.files is no list", () => change((about) => ({ ...about, data: {} }))],
  [
    "the size of a file",
    () => change((about) => ({ ...about, data: { part: null, files: [{ ...source, size: -1 }] } })),
  ],
  ["data.part is neither", () => change((about) => ({ ...about, data: { part: { what: "x" }, files: [] } }))],
])("refuses damage: %s", async (message, make) => {
  await expect(readProject(make(), "mine.bonmf", codec)).rejects.toThrow(message);
});
