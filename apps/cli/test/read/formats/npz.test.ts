import { Dense, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { zip } from "../../../../../packages/data/test/fixtures/zip.js";
import { readData } from "../../../src/read/read.js";
import { failure, foreign, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const read = (name: string, bytes: Uint8Array, options = {}) => readData([folder.put(name, bytes)], options);

const array = writeNpy(
  Dense.from([
    [1, 2],
    [3, 4],
  ]),
);

describe("NPZ as NumPy and SciPy write it", () => {
  it("holds X and labels, texts too", async () => {
    const data = await read("a.npz", foreign("dense.npz"));
    expect(data).toMatchObject({ kind: "npz", labels: ["tea", "größe"] });
    expect(rowsOf(data.X)).toEqual([
      [5, 0, 1],
      [0, 2.5, 0],
    ]);
  });

  it("may be compressed, with the one array of two dimensions as samples", async () => {
    const data = await read("b.npz", foreign("deflated.npz"));
    expect(data.X.samples).toBe(30);
    expect(rowsOf(data.X)[29]).toEqual([1, 2, 3, 4]);
    expect(data.labels?.slice(0, 3)).toEqual([0, 1, 0]);
  });

  it("may hold pictures", async () => {
    const data = await read("c.npz", foreign("pictures.npz"));
    expect([data.X.samples, data.X.features]).toEqual([2, 12]);
    expect(data.recipe.image).toEqual({ width: 4, height: 3 });
  });

  it("may be a sparse matrix, its indices in any order", async () => {
    const data = await read("d.npz", foreign("sparse.npz"));
    expect(data.X.kind).toBe("sparse");
    expect(rowsOf(data.X)).toEqual([
      [5, 0, 0, 1],
      [0, 0, 0, 0],
      [0, 3, 0, 0],
    ]);
    expect(await failure(read("e.npz", foreign("columns.npz")))).toMatchObject({ hint: "save X.tocsr()" });
  });

  it("takes the labels that are asked for, and lists the arrays where there are none", async () => {
    const labels = writeNpy(Dense.from([[7], [8]]));
    const both = zip([
      { name: "X.npy", content: array },
      { name: "kind.npy", content: labels },
    ]);
    expect((await read("f.npz", both, { label: "kind" })).labels).toEqual([7, 8]);
    expect(await failure(read("f.npz", both, { label: "class" }))).toMatchObject({ hint: "its arrays: X, kind" });
    const short = zip([
      { name: "X.npy", content: array },
      { name: "y.npy", content: writeNpy(Dense.from([[7]])) },
    ]);
    expect((await failure(read("g.npz", short))).message).toMatch(/there are 2 samples but 1 labels \(y\)$/);
  });

  it("asks for a name where several arrays could be the samples", async () => {
    const two = zip([
      { name: "a.npy", content: array },
      { name: "b.npy", content: array },
    ]);
    expect((await failure(read("h.npz", two))).message).toMatch(/holds 2 arrays of samples × features: a, b$/);
    expect((await failure(read("i.npz", zip([{ name: "readme", content: array }])))).message).toMatch(/no arrays/);
  });
});

describe("hostile archives", () => {
  const X = { name: "X.npy", content: array };
  const zeros = new Uint8Array(100_000);

  it.each<[string, Uint8Array, RegExp]>([
    ["no directory", zip([X]).subarray(0, -30), /no directory at its end/],
    ["a false checksum", zip([{ ...X, checksum: 1 }]), /"X\.npy" is damaged: its checksum does not fit/],
    ["a stored size that lies", zip([{ ...X, size: array.length + 1 }]), /claims 145 bytes, which its 144 bytes/],
    ["too small a claim", zip([{ ...X, content: zeros, deflate: true, size: 10 }]), /holds more than the 10 bytes/],
    [
      "too large a claim",
      zip([{ ...X, content: zeros, deflate: true, size: 100_001 }]),
      /claims 100001 bytes but holds/,
    ],
    ["a huge claim", zip([{ ...X, deflate: true, size: 0xfffffff0 }]), /claims 4294967280 bytes, which its/],
    ["more packed bytes than there are", zip([{ ...X, packed: 1_000_000 }]), /claim more bytes than it has/],
    ["overlapping entries", zip([X, { ...X, packed: 300 }, { ...X, packed: 300 }]), /claim more bytes than it has/],
    ["encryption", zip([{ ...X, flags: 1 }]), /is encrypted/],
    ["an unknown method", zip([{ ...X, method: 99 }]), /not known \(method 99\)/],
    ["a missing wide size", zip([{ ...X, size: 0xffffffff }]), /lacks a size/],
    ["rubbish for deflate", zip([{ ...X, content: zeros.slice(0, 50).fill(255), method: 8 }]), /is damaged/],
    ["names that climb", zip([{ ...X, name: "../../X" }]), /no arrays/],
  ])("with %s are refused", async (_, bytes, message) => {
    const error = await failure(read("bad.npz", bytes));
    expect(error.name).toBe("UserError");
    expect(error.message).toMatch(message);
  });

  it("of any cut or flipped byte never end in anything but an answer or a clear error", async () => {
    const whole = zip([{ ...X, deflate: true }]);
    for (let p = 0; p < whole.length; p++) {
      const flipped = Buffer.from(whole);
      flipped[p] ^= 0x55;
      for (const bytes of [flipped, whole.subarray(0, p)]) {
        const error = await read("fuzz.npz", bytes, { kind: "npz" }).then(
          () => null,
          (reason: Error) => reason,
        );
        expect(error?.name ?? "UserError").toMatch(/^(UserError|FormatError|DataError)$/);
      }
    }
  });
});
