import { defineConfig } from "vitest/config";
import { areas } from "./areas.js";

export default defineConfig({
  test: { include: areas.flatMap(({ tests }) => tests), isolate: false, testTimeout: 10 * 60_000 },
});
