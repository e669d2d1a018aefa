import { areas } from "./areas.js";

export default {
  mutate: areas.flatMap(({ mutate }) => mutate),
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.js", related: false },
  coverageAnalysis: "perTest",
  // Constants of modules are set once for all mutants: each would need a process of its own.
  ignoreStatic: true,
  // Only the library and this folder are copied.
  ignorePatterns: [
    "/*",
    "!/packages",
    "/packages/*",
    "!/packages/bonmf",
    "/packages/bonmf/{dist,bench,assembly}",
    "!/scripts",
    "!/package.json",
  ],
  tempDirName: "out/stryker",
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: "out/mutation.json" },
  concurrency: 2,
  // Beyond what the tests themselves take: mutants that loop for ever are noticed.
  timeoutMS: 10_000,
};
