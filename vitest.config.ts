import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts"],
    setupFiles: ["packages/bonmf/test/setup.ts"],
    testTimeout: 60_000,
  },
});
