import { type Candidate, countedAs } from "bonmf";
import { openStem } from "bonmf-data";
import { collectTest, renderPage } from "bonmf-report";
import { quoteWord } from "../args/quote.js";
import type { Call } from "../command.js";
import { classify } from "../commands/classify.js";
import type { Loaded } from "../input/input.js";
import { readOptions } from "../read/options.js";
import { plural } from "../show/text.js";
import { describeTest, describeTested, describeVote } from "./classify-report.js";
import type { Evaluation, TestOptions } from "./evaluation.js";
import { findPixels } from "./report.js";
import { writeReport } from "./report-file.js";
import type { TestSet } from "./test-set.js";

interface Tested {
  readonly loaded: Loaded;
  readonly test: TestOptions;
  readonly evaluation: Evaluation;
  readonly testing: TestSet | null;
}

/** Writes a page about a test. */
export async function writeTestPage(
  call: Call,
  out: string,
  { loaded, test, evaluation, testing }: Tested,
): Promise<void> {
  const { data, source } = loaded;
  const { classifier, chosen, tried } = evaluation.training;
  const image = readOptions(call).size ?? findPixels(data);
  const name = countedAs(data.features ?? [], await openStem(data.recipe.text));
  const findings = await collectTest(
    {
      ...evaluation,
      classifier,
      training: data,
      samples: { ...(testing ? { ...testing.loaded.data, labels: testing.y } : data), countedAs: name },
      unknown: testing?.unknown ?? [],
      tried: tried.map((one) => ({
        name: describeCandidate(one),
        accuracy: one.accuracy,
        balanced: one.balanced,
        deviation: one.deviation,
        folds: one.folds,
        chosen: one === chosen,
      })),
      features: data.features,
      recipe: image ? { ...data.recipe, image } : data.recipe,
      source,
      command: writeCommand(call),
      words: { classifier: describeTested(evaluation), tested: describeTest(test, evaluation) },
    },
    call.signal,
  );
  await writeReport(out, () => renderPage(findings), call.signal);
}

function describeCandidate(candidate: Candidate): string {
  const { scheme, clustersPerClass, penalty, sharpness, scale } = candidate;
  const parts: string[] = [scheme === "vote" ? describeVote(candidate) : scheme];
  if (clustersPerClass > 0) parts.push(`${plural(clustersPerClass, "cluster")} a class`);
  if (penalty > 0) parts.push(`penalty ${penalty}`);
  if (sharpness > 0) parts.push(`sharpness ${sharpness}`);
  return [...parts, `scale ${scale}`].join(", ");
}

/** Files that were written, and how many threads wrote them, change no answer. */
const RESULTS = new Set(["out", "report", "predictions", "probabilities", "spreadsheet-safe", "threads", "memory"]);

/** The command that gives these answers again. */
function writeCommand({ args, options }: Call): string {
  const words = ["bonmf", "classify", ...args];
  for (const { name, value } of classify.options) {
    if (RESULTS.has(name)) continue;
    const given = value === undefined ? undefined : options.string(name);
    if (given !== undefined) words.push(`--${name}`, given);
    else if (value === undefined && options.flag(name)) words.push(`--${name}`);
  }
  return words.map(quoteWord).join(" ");
}
