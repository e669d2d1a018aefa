import { tmpdir } from "node:os";
import { join } from "node:path";
import { fit } from "bonmf";
import { expect, it } from "vitest";
import { UserError } from "../src/errors.js";
import { describeFailure } from "../src/failure.js";

const thrownBy = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

it("what the user can put right is 1", async () => {
  expect(await describeFailure(new UserError("no", "yes"), 0)).toEqual({
    message: "no",
    hint: "yes",
    code: "user",
    exit: 1,
  });
  const option = await thrownBy(fit([[1]], { k: 1, maxIterations: 0 }));
  expect(await describeFailure(option, 0)).toMatchObject({ hint: "change --max-iterations", code: "option", exit: 1 });
  expect(await describeFailure(await thrownBy(fit([[-1]], { k: 1, method: "nmf" })), 0)).toMatchObject({
    code: "negative",
    exit: 1,
  });
  const refused = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(await describeFailure(refused, 0)).toMatchObject({ code: "user", exit: 1 });
  expect(await describeFailure(new RangeError("Array buffer allocation failed"), 0)).toMatchObject({
    code: "memory",
    exit: 1,
  });
});

it.each(["EIO", "EMFILE", "EROFS", "EACCES", "EDQUOT"])("%s of the system is 1, with a remedy", async (code) => {
  const refused = Object.assign(new Error(`${code}: refused, open 'a'`), { code });
  expect(await describeFailure(refused, 0)).toMatchObject({ code: "user", exit: 1, hint: expect.any(String) });
});

it.each([
  ["Out of Memory Error: failed to allocate data of size 16.0 MiB (16.0 MiB/20.0 MiB used)", "larger --memory"],
  [`IO Error: Could not write file "${join(tmpdir(), "x", "spill")}": No space left on device`, "set TMPDIR"],
  [`IO Error: Failed to create directory "${join(tmpdir(), "x")}": No space left on device`, "set TMPDIR"],
])("DuckDB's %s is 1, with a remedy", async (message, remedy) => {
  const failure = await describeFailure(new Error(message), 0);
  expect(failure).toMatchObject({ code: "user", exit: 1, hint: expect.stringContaining(remedy) });
});

it.each(["WebAssembly.Memory(): could not allocate memory", "Array buffer allocation failed"])(
  "%s is 1",
  async (message) => {
    expect(await describeFailure(new RangeError(message), 0)).toMatchObject({ code: "memory", exit: 1 });
  },
);

it("a bug is 2", async () => {
  expect(await describeFailure(new TypeError("x is not a function"), 0)).toMatchObject({ code: "internal", exit: 2 });
  expect(await describeFailure("a string", 0)).toMatchObject({ code: "internal", exit: 2 });
  expect(await describeFailure(undefined, 0)).toMatchObject({ code: "internal", exit: 2 });
});

it("after a signal it is the signal's, whatever came of it", async () => {
  const message = "stopped before the end";
  expect(await describeFailure(new Error("aborted"), 130)).toEqual({
    message,
    hint: undefined,
    code: "interrupted",
    exit: 130,
  });
  expect(await describeFailure(new UserError("saved", "go on"), 143)).toMatchObject({
    message: "saved",
    hint: "go on",
    exit: 143,
  });
});
