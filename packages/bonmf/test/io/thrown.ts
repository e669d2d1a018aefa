import { expect } from "vitest";
import type { BonmfError } from "../../src/errors.js";

/** What `run` throws; fails when it throws nothing. */
export function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.fail("nothing was thrown");
}

/** Checks the class, code and message of what `run` throws, not its place. */
export function expectError(run: () => unknown, { name, code, message }: BonmfError): void {
  expect(thrown(run)).toMatchObject({ name, code, message });
}
