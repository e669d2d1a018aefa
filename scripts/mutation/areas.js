// What is mutated, and the tests that must notice. None of them needs datasets or the built command.
import { readFileSync } from "node:fs";

const SOURCES = "packages/bonmf/src";
const TESTS = "packages/bonmf/test";
const ITERATE = `${SOURCES}/factor/iterate.ts`;
/** The rule that stops a run is the end of its file. */
const stop =
  readFileSync(ITERATE, "utf8")
    .split("\n")
    .findIndex((line) => /function hasConverged/.test(line)) + 1;

const inMeasure = (names) => ({
  mutate: names.map((name) => `${SOURCES}/measure/${name}.ts`),
  tests: [`${TESTS}/measure/*.test.ts`],
});

const AREAS = {
  kernel: { mutate: [`${SOURCES}/kernel/choose.ts`], tests: [`${TESTS}/kernel/choose.test.ts`] },
  stop: { mutate: [`${ITERATE}:${stop}-10000`], tests: [`${TESTS}/factor/iterate.test.ts`] },
  agreement: inMeasure(["accuracy", "class-report", "contingency", "hungarian", "information", "labels", "rand-index"]),
  probabilities: inMeasure(["calibration", "interval", "probabilities", "roc"]),
  structure: inMeasure(["null-reference", "one-group", "reconstruction", "silhouette"]),
  tensors: { mutate: [`${SOURCES}/model/safetensors.ts`], tests: [`${TESTS}/model/safetensors.test.ts`] },
  model: {
    mutate: [`${SOURCES}/model/{model-file,stored-fields}.ts`],
    tests: [`${TESTS}/model/{model-file,golden}.test.ts`],
  },
};

/** Those that BONMF_AREAS names, with commas between; all without it. */
export const areas = (process.env.BONMF_AREAS ?? Object.keys(AREAS).join()).split(",").map((name) => AREAS[name]);
