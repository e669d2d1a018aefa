import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readPnm } from "../../../src/read/formats/pnm.js";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();

/** A grey picture with the given rows of values. */
const grey = (rows: number[][]) =>
  sharp(Uint8Array.from(rows.flat()), { raw: { width: rows[0].length, height: rows.length, channels: 1 } });
const png = (rows: number[][]) => grey(rows).png().toBuffer();
const first = [
  [0, 50, 100],
  [150, 200, 255],
];
const second = [
  [9, 8, 7],
  [6, 5, 4],
];

describe("PGM and PPM", () => {
  const bytes = (text: string, ...more: number[]) =>
    Buffer.concat([Buffer.from(text, "latin1"), Uint8Array.from(more)]);

  it.each<[string, Uint8Array, number, number[]]>([
    ["P2 with comments", bytes("P2 # a\n# b\n2 1\n255\n7 # c\n 255"), 1, [7, 255]],
    ["P2 of few levels", bytes("P2\n3 1\n3\n0 1 3"), 1, [0, 85, 255]],
    ["P3", bytes("P3\n1 1\n255\n1 2 3\n"), 3, [1, 2, 3]],
    ["P5", bytes("P5 2 1 255\n", 10, 32), 1, [10, 32]],
    ["P5 of 16 bits", bytes("P5 2 1 65535\n", 255, 255, 128, 0), 1, [255, 128]],
    ["P6", bytes("P6\n1 1\n255\n", 4, 5, 6), 3, [4, 5, 6]],
  ])("%s", (_, file, channels, values) => {
    const picture = readPnm(file);
    expect(picture.channels).toBe(channels);
    expect([...picture.data]).toEqual(values);
  });

  it.each([
    ["P5 2 2 255\n\x01\x02\x03", /cut short/],
    ["P2 2 2 255\n1 2 3 ", /ends after 3 of 4|cut short/],
    ["P2 1 1 255\nx", /"x" is not a value of a pixel/],
    ["P5 0 2 255\n", /empty/],
    ["P5 1 1 65536\n\0\0", /must be 1 … 65535/],
    ["P5 99999999 99999999 255\n", /cut short/],
    ["P5 what", /header/],
  ])("refuses %j", (text, message) => expect(() => readPnm(bytes(text))).toThrow(message));
});

describe("pictures", () => {
  it("keep their grey values and names, and have their folder as label when asked", async () => {
    folder.put("set/cats/1.png", await png(first));
    folder.put("set/dogs/2.pgm", `P2\n3 2\n255\n${second.flat().join(" ")}\n`);
    folder.put("set/readme.md.bak", "not a picture");
    folder.put("set/.thumbs/3.png", "hidden");
    const data = await readData([`${folder.path}/set`], { label: "folder" });
    expect(data).toMatchObject({
      kind: "images",
      ids: ["cats/1.png", "dogs/2.pgm"],
      labels: ["cats", "dogs"],
      features: ["p0_0", "p0_1", "p0_2", "p1_0", "p1_1", "p1_2"],
      recipe: { kind: "images", image: { width: 3, height: 2 } },
      notes: ["1 other file in the folder passed over"],
    });
    expect(rowsOf(data.X)).toEqual([first.flat(), second.flat()]);
    expect((await readData([`${folder.path}/set`], {})).labels).toBeNull();
    expect(await failure(readData([`${folder.path}/set`], { label: "class" }))).toMatchObject({
      hint: "write --label folder",
    });
  });

  it("of colour, with transparency, of any size and format come to one size", async () => {
    const red = sharp({
      create: { width: 200, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    });
    const files = [
      folder.put("mixed/a.png", await red.clone().png().toBuffer()),
      folder.put(
        "mixed/b.jpg",
        await sharp({ create: { width: 9, height: 9, channels: 3, background: "black" } })
          .jpeg()
          .toBuffer(),
      ),
      folder.put("mixed/c.ppm", Buffer.concat([Buffer.from("P6 1 1 255\n"), Uint8Array.of(255, 255, 255)])),
    ];
    const data = await readData(files, {});
    expect(data.recipe.image).toEqual({ width: 64, height: 32 });
    expect(data.ids).toEqual(files);
    const rows = rowsOf(data.X);
    expect([rows[0], rows[1], rows[2]].map((row) => new Set(row))).toEqual([
      new Set([255]),
      new Set([0]),
      new Set([255]),
    ]);
    expect((await readData(files, { size: { width: 5, height: 4 } })).X.features).toBe(20);
  });

  it("are read for a model at its size, in parts", async () => {
    const paths = [];
    for (let i = 0; i < 5; i++)
      paths.push(
        folder.put(
          `many/${i}.png`,
          await png([
            [i, i],
            [i, i],
          ]),
        ),
      );
    const like = { features: null, count: 1, recipe: { kind: "images", image: { width: 1, height: 1 } } } as const;
    const parts = [];
    for await (const { X, ids } of readParts([`${folder.path}/many`], { like }, 2)) parts.push([rowsOf(X), ids]);
    expect(parts).toEqual([
      [
        [[0], [1]],
        ["0.png", "1.png"],
      ],
      [
        [[2], [3]],
        ["2.png", "3.png"],
      ],
      [[[4]], ["4.png"]],
    ]);
    const other = { features: null, count: 64, recipe: { kind: "csv" } } as const;
    expect((await failure(readData(paths, { like: other }))).message).toMatch(
      /has 4 features, but the model was fitted on 64$/,
    );
  });

  it("that are broken are named", async () => {
    const noise = Array.from({ length: 40 }, (_, y) => Array.from({ length: 40 }, (_, x) => (x * 37 + y * 101) % 256));
    const whole = await png(noise);
    for (const [name, bytes] of [
      ["cut.png", whole.subarray(0, whole.length / 2)],
      ["empty.png", Buffer.alloc(0)],
      ["fake.jpg", Buffer.from("hello")],
      ["cut.jpg", (await grey(noise).jpeg().toBuffer()).subarray(0, 200)],
    ] as const) {
      const path = folder.put(`broken-${name}/${name}`, bytes);
      const error = await failure(readData([`${folder.path}/broken-${name}`], {}));
      expect(error.name).toBe("UserError");
      expect(error.message).toMatch(new RegExp(`^${path} cannot be read as a picture: `));
    }
  });

  it("that are broken are skipped and counted where others are whole; --strict refuses them", async () => {
    const one = await png([[9, 9], [9, 9]]); // biome-ignore format: a picture
    folder.put("some/a/0.png", Buffer.from("hello"));
    folder.put("some/a/1.png", one);
    folder.put("some/b/2.png", Buffer.alloc(0));
    folder.put("some/b/3.png", one);
    const path = `${folder.path}/some`;
    const { X, ids, labels, notes } = await readData([path], { label: "folder" });
    expect({ rows: rowsOf(X), ids, labels }).toEqual({
      rows: [[9, 9, 9, 9], [9, 9, 9, 9]], // biome-ignore format: a matrix
      ids: ["a/1.png", "b/3.png"],
      labels: ["a", "b"],
    });
    expect(notes).toContain(`skipped 2 pictures that are damaged: "${path}/a/0.png", "${path}/b/2.png"`);
    const parts = [];
    for await (const part of readParts([path], {}, 1)) parts.push(part.ids);
    expect(parts).toEqual([["a/1.png"], ["b/3.png"]]);
    const { message } = await failure(readData([path], { strict: true }));
    expect(message).toMatch(/some\/a\/0\.png cannot be read as a picture/);
  });

  it("stop when told to", async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const run = readData([`${folder.path}/many`], {
      signal: stop.signal,
      onProgress: (done, total, unit) => {
        if (unit !== "files") return;
        seen.push(done);
        expect(total).toBe(5);
        stop.abort(new Error("enough"));
      },
    });
    expect((await failure(run)).message).toBe("enough");
    expect(seen.length).toBeLessThan(5);
  });
});
