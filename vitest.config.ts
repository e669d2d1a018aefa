import { configDefaults, defineConfig } from "vitest/config";

/** They need a Spark cluster: packages/spark/cluster/check.js starts one, says where it is, and runs them. */
const onCluster = process.env.SPARK_CONNECT_URL ? [] : ["**/*.cluster.test.ts"];

export default defineConfig({
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts", "scripts/test/*.test.js"],
    exclude: [...configDefaults.exclude, ...onCluster],
    setupFiles: ["packages/bonmf/test/setup.ts"],
    testTimeout: 60_000,
  },
});
