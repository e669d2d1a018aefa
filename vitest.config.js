import { configDefaults, defineConfig } from "vitest/config";
import { provideTestData } from "./scripts/testdata.js";

/** They need a Spark cluster: packages/spark/cluster/check.js starts one, says where it is, and runs them. */
const onCluster = process.env.SPARK_CONNECT_URL ? [] : ["**/*.cluster.test.ts"];
/** They need a GPU adapter: packages/webgpu/adapter/check.js finds a software one, and runs them. */
const onAdapter = process.env.WEBGPU_MODULE ? [] : ["**/*.adapter.test.ts"];
const ALL = ["{packages,apps}/*/test/**/*.test.ts", "{scripts,fuzz}/test/*.test.js"];
/** They replace modules, which others may have loaded. */
const ALONE = ["apps/studio/test/state/{actions,edit}.test.ts", "packages/data/test/documents.test.ts"];
/** They change nothing that outlives them, so files share a process and what it has loaded. */
const UNITS = [
  "packages/bonmf/test/{matrix,scale,measure,io,text,factor,model,classify}/**/*.test.ts",
  "packages/bonmf/test/kernel/{plain,neighbors}/**/*.test.ts",
  "packages/{data,report}/test/**/*.test.ts",
  "apps/studio/test/**/*.test.ts",
  "apps/cli/test/{args,show,tasks}/**/*.test.ts",
];

/** Only ends tests that hang: none depends on the speed of the machine. */
const HANGS_MS = 15 * 60_000;

/** Tests of the paper's figures and of checksums are skipped unless BONMF_DATA_REAL is 1. */
const { folder, real } = provideTestData();

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...onCluster, ...onAdapter],
    env: { BONMF_DATA_DIR: folder, BONMF_DATA_REAL: real ? "1" : "" },
    // Vitest leaves one core to its own process, which is idle most of the time: on two cores only one would work.
    maxWorkers: "100%",
    // The built command is loaded as Node loads it.
    server: { deps: { external: [/\/apps\/cli\/dist\//] } },
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    // With --coverage, for scripts/coverage.js. The command is measured as built, because most of its tests run that.
    // What only browsers and Spark's executors run is measured by their own checks.
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "apps/{reproduce,studio}/src/**/*.{ts,tsx}", "apps/cli/dist/**/*.js"],
      exclude: ["packages/report/src/views/**", "apps/studio/src/views/**", "packages/spark/src/executor/**"],
      reporter: ["json-summary"],
      reportOnFailure: true,
    },
    projects: [
      {
        extends: true,
        test: {
          name: "whole",
          include: ALL,
          exclude: [...configDefaults.exclude, ...onCluster, ...onAdapter, ...UNITS],
        },
      },
      {
        extends: true,
        test: { name: "units", include: UNITS, exclude: [...configDefaults.exclude, ...ALONE], isolate: false },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
