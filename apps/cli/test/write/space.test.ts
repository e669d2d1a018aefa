import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freeSpace, requireSpace, SpaceWatch } from "../../src/write/space.js";

const path = join(tmpdir(), "out.npy");
const free = (bytes: number) => async () => bytes;

describe("space on the disk", () => {
  it("is known, and unknown where there is no such folder", async () => {
    expect(await freeSpace(path)).toBeGreaterThan(0);
    expect(await freeSpace(join(tmpdir(), "absent", "folder", "out.npy"))).toBe(Number.POSITIVE_INFINITY);
  });

  it("is asked for before a file is begun", async () => {
    await requireSpace(path, 1000, free(1000));
    await requireSpace("-", 2 ** 80, free(0));
    await expect(requireSpace(path, 3e9, free(1e9))).rejects.toMatchObject({
      name: "UserError",
      message: `${path} needs 3.0 GB, but its disk has 1.0 GB left; nothing was written`,
      hint: "free some space or choose another disk",
    });
    await expect(requireSpace(path, 2 ** 80)).rejects.toThrow("but its disk has");
  });

  it("is estimated from what was read so far", async () => {
    const watch = new SpaceWatch(path, free(1e9));
    // Nothing is known of the total, or too little was written.
    await watch.check(5e8, 0);
    watch.read(1, 1000);
    await watch.check(1e7, 0);
    watch.read(30, 100);
    await watch.check(3e8, 0);
    watch.read(40, 100);
    await expect(watch.check(4e8, 1)).rejects.toThrow("needs 1.6 GB, but its disk has 1.0 GB left");
  });
});
