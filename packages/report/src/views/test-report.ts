import type { TestFindings, Tried } from "../test-findings.js";
import { showShare } from "./classes.js";
import { showConfusion } from "./confusion.js";
import { element } from "./element.js";
import { showFigure, showSavable } from "./figure.js";
import { section, showPage } from "./frame.js";
import { scroll } from "./grid.js";
import { showGrounds, showMistakes } from "./mistakes.js";
import { count, percent, plural } from "./numbers.js";
import type { ViewOptions } from "./options.js";
import { showReliability } from "./reliability.js";
import { showCode } from "./repeat.js";
import { showCurves } from "./roc.js";
import { showTiles, type Tile } from "./tiles.js";

/** Most classes of a table. */
const MOST = 100;
/** Candidates that are shown at once. */
const FIRST_TRIED = 15;
const MISTAKES =
  "Wrong answers with the highest probability. Look for wrong labels, samples of two classes, and what the classifier cannot see.";
const EQUAL =
  " Every class counts alike here, so these are the probabilities where all classes are equally common: fewer answers of a rare class are right.";
const GROUNDS: Readonly<Record<TestFindings["form"], string>> = {
  picture: "The prototype that most answers of each class are nearest to.",
  text: "Words that lead to answers of each class: to the right for the class, to the left against it.",
  table: "Features that lead to answers of each class: to the right for the class, to the left against it.",
};

/** The whole report on a test. */
export function showTestReport(findings: TestFindings, options: ViewOptions = {}): HTMLElement {
  const { tried, form } = findings;
  const { chance } = findings.measures;
  const sections = [
    section(
      "confusion",
      "Who is taken for whom",
      null,
      element(
        "div",
        { class: "bonmf-beside" },
        showSavable("Who is taken for whom", showConfusion(findings), options),
        showTestedClasses(findings),
      ),
    ),
    section(
      "probabilities",
      "Can the probabilities be believed?",
      `On the dashed line, eight of ten answers with a probability of 80 % are right. Below it the classifier is too sure, above it too careful.${chance ? EQUAL : ""}`,
      element(
        "div",
        { class: "bonmf-figures" },
        showFigure("Right answers by probability", showReliability(findings, options), options),
      ),
    ),
    findings.curves.length > 0 &&
      section(
        "roc",
        "Can the classes be told apart?",
        "Along a curve more and more samples are taken for the class: of its own (up) and of others (to the right). A curve along the dashed line is chance.",
        element(
          "div",
          { class: "bonmf-figures" },
          showFigure("ROC curves, one class against the rest", showCurves(findings, options), options),
        ),
      ),
    section("mistakes", "Surely wrong", MISTAKES, showMistakes(findings)),
    section("grounds", "What it goes by", GROUNDS[form], showGrounds(findings)),
    tried.length > 0 &&
      section(
        "tried",
        "What was tried",
        `Cross-validated ${chance ? "balanced " : ""}accuracy on the training samples alone, best first.`,
        showTried(tried, chance !== null),
      ),
    section("repeat", "How to repeat it", null, showCommand(findings)),
  ].filter((one) => one !== false);
  const headline = element("p", { class: "bonmf-headline" }, describeTest(findings));
  return showPage(findings, "bonmf classify", [headline, showMeasures(findings), showUnknown(findings)], sections);
}

/** One sentence: how many answers are right, and how many would be without learning. */
export function describeTest({ measures, classifier, tested }: TestFindings): string {
  const { accuracy, interval, baseline, balanced, chance } = measures;
  if (chance) {
    const one = `always answering one class would get ${percent(chance.share)}`;
    const against = chance.isBeaten ? one : `which may be no better than chance: ${one}`;
    return (
      `Every class counts alike: on average ${percent(balanced)} of a class are found (balanced accuracy); ${against}. ` +
      `${percent(accuracy)} of the samples are answered right (95 % interval ${percent(interval.low)} to ${percent(interval.high)}); ` +
      `always answering ${baseline.label} would get ${percent(baseline.share)}. The classifier: ${classifier}, ${tested}.`
    );
  }
  const against =
    interval.low > baseline.share
      ? `always answering ${baseline.label} would get ${percent(baseline.share)}`
      : `which may be no better than always answering ${baseline.label}: ${percent(baseline.share)}`;
  return (
    `${percent(accuracy)} of the samples are answered right (95 % interval ${percent(interval.low)} to ${percent(interval.high)}); ` +
    `${against}. The classifier: ${classifier}, ${tested}.`
  );
}

function showMeasures({ measures, samples, classes }: TestFindings): HTMLElement {
  const { accuracy, interval, balanced, f1, auc, logLoss, brier, calibration, answered } = measures;
  const areas = classes.filter((one) => one.auc !== null).length;
  const tiles: Tile[] = [
    [
      "Accuracy",
      percent(accuracy),
      `${percent(interval.low)} to ${percent(interval.high)}, ${plural(samples, "sample")}`,
    ],
    ["Balanced accuracy", percent(balanced), `mean F1 ${percent(f1)}`],
    ["AUC", auc === null ? "–" : auc.toFixed(3), `one against the rest, mean of ${plural(areas, "class", "classes")}`],
    ["Log loss", logLoss.toFixed(3), `Brier score ${brier.toFixed(3)}`],
    ["Calibration error", calibration.toFixed(3), "0 is perfect"],
  ];
  if (answered) tiles.push(["Answered", percent(answered.share), `${percent(answered.accuracy)} of those right`]);
  return showTiles(tiles);
}

function showUnknown({ measures: { unknown } }: TestFindings): HTMLElement | null {
  if (unknown.length === 0) return null;
  const names = unknown.slice(0, 8).map(({ label, count: n }) => `${label} (${count(n)})`);
  const more = unknown.length > 8 ? ` and ${count(unknown.length - 8)} more` : "";
  const text = `Not among the training classes, so counted as wrong: ${names.join(", ")}${more}.`;
  return element("p", { class: "bonmf-warning", role: "note" }, text);
}

function showTestedClasses({ classes }: TestFindings): HTMLElement {
  const heads = ["Class", "Samples", "Precision", "Recall", "F1", "AUC"];
  const left = classes.length - MOST;
  const rows = classes
    .slice(0, MOST)
    .map(({ label, samples, precision, recall, f1, auc }) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, label),
        element("td", {}, count(samples)),
        ...[precision, recall, f1].map((share) => showShare(share)),
        element("td", {}, auc === null ? "–" : auc.toFixed(3)),
      ),
    );
  const cut = left > 0 ? ` ${count(left)} more classes are left out.` : "";
  return scroll(
    "Classes, one by one",
    element(
      "table",
      { class: "bonmf-table bonmf-trials" },
      element("caption", {}, `AUC: a sample of the class gets a higher probability than another one so often.${cut}`),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows),
    ),
  );
}

/** @param isBalanced whether they were compared by balanced accuracy */
function showTried(tried: readonly Tried[], isBalanced: boolean): HTMLElement {
  const rows = tried.map(({ name, accuracy, balanced, deviation, folds, chosen }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${name}${chosen ? " *" : ""}`),
      showShare(isBalanced ? balanced : accuracy),
      element("td", {}, `± ${percent(deviation)}`),
      isBalanced && showShare(accuracy),
      element("td", {}, count(folds)),
    ),
  );
  const heads = isBalanced
    ? ["Candidate", "Balanced accuracy", "Deviation", "Accuracy", "Folds"]
    : ["Candidate", "Accuracy", "Deviation", "Folds"];
  const first = Math.max(FIRST_TRIED, tried.findIndex(({ chosen }) => chosen) + 1);
  const rest = element("tbody", { hidden: true }, ...rows.slice(first));
  const more = element("button", { type: "button", class: "bonmf-chip" }, `Show all ${count(tried.length)}`);
  more.addEventListener("click", () => {
    rest.hidden = false;
    more.remove();
  });
  const table = scroll(
    "Candidates, best first",
    element(
      "table",
      { class: "bonmf-table bonmf-trials" },
      element(
        "caption",
        {},
        "* chosen: the simplest scheme within one standard error of the best. The deviation is from fold to fold; what was clearly behind was dropped after fewer folds.",
      ),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows.slice(0, first)),
      rows.length > first && rest,
    ),
  );
  return element("div", {}, table, rows.length > first && more);
}

function showCommand({ repeat: { command } }: TestFindings): HTMLElement {
  return element(
    "div",
    {},
    command !== null && showCode("In a terminal", command),
    element("p", { class: "bonmf-hint" }, "The same samples, options and seed give the same answers, to the last bit."),
  );
}
