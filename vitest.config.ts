import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts"],
    setupFiles: ["packages/bonmf/test/setup.ts"],
    testTimeout: 60_000,
  },
});
