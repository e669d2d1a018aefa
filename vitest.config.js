import { configDefaults, defineConfig } from "vitest/config";
import { provideTestData } from "./scripts/testdata.js";

/** They need a Spark cluster: packages/spark/cluster/check.js starts one, says where it is, and runs them. */
const onCluster = process.env.SPARK_CONNECT_URL ? [] : ["**/*.cluster.test.ts"];

/** No test measures time by this limit: it only ends one that hangs, on a machine however busy. */
const HANGS_MS = 15 * 60_000;

/** Tests of the paper's figures and of checksums are skipped unless BONMF_DATA_REAL is 1. */
const { folder, real } = provideTestData();

export default defineConfig({
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts", "scripts/test/*.test.js"],
    exclude: [...configDefaults.exclude, ...onCluster],
    env: { BONMF_DATA_DIR: folder, BONMF_DATA_REAL: real ? "1" : "" },
    // Vitest leaves one core to its own process, which is idle most of the time: on two cores only one would work.
    maxWorkers: "100%",
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
  },
});
