import type { Findings } from "../findings.js";
import { showCards } from "./cards.js";
import { showChoice } from "./choice.js";
import { showClasses } from "./classes.js";
import { showConvergence } from "./convergence.js";
import { element } from "./element.js";
import { showFigure, showSavable } from "./figure.js";
import { section, showPage } from "./frame.js";
import { showHeadline } from "./headline.js";
import { showHierarchy } from "./hierarchy.js";
import { showMap } from "./map.js";
import { showMatrix } from "./matrix.js";
import { nounsOf, titleOf } from "./nouns.js";
import { count } from "./numbers.js";
import type { ViewOptions } from "./options.js";
import { showRepeat } from "./repeat.js";
import { showSilhouettes } from "./silhouettes.js";
import { showSizes } from "./sizes.js";
import { showStats, showSummary } from "./summary.js";
import { showTopicSimilarity, showTopicTimes, showTopicWords } from "./topics.js";

const MEMBERS =
  "Typical members point most nearly in the direction of the prototype; borderline ones could almost as well be in another";
const EFFECTS =
  "Features are those that set a cluster apart: mean ± standard deviation of its members, and the mean elsewhere. A bar to the right is higher than elsewhere, to the left lower, in standard deviations; the thin line is its 95 % interval.";

const TOPICS =
  "Each topic with the words that tell it. To the right the slider ranks words by how likely they are in the topic, to the left by how rare they are elsewhere. Two measures of coherence say how often its ten most telling words come together: NPMI in documents, 1 always and 0 as by chance; C_V in windows of 110 words, 1 at most.";
const TIME = "The share of the documents of each span of time that each topic has, and the words that tell it there.";

/** The whole report. */
export function showReport(findings: Findings, options: ViewOptions = {}): HTMLElement {
  const { agreement, map, samples } = findings;
  const { sample, cluster } = nounsOf(findings);
  const some = map.samples.length < samples ? ` ${count(map.samples.length)} of ${count(samples)} are shown.` : "";
  const sections = [
    findings.topics &&
      section("topics", "Topics", TOPICS, showSavable("Topics", showTopicWords(findings, options), options)),
    findings.topics?.time
      ? section(
          "time",
          "Topics over time",
          TIME,
          showSavable("Topics over time", showTopicTimes(findings, options), options),
        )
      : null,
    section(
      "map",
      "Map",
      `${titleOf(sample)} that are alike lie close together; how far apart distant groups are means little.${some}`,
      showSavable("Map", showMap(findings, options), options),
    ),
    section(
      "clusters",
      findings.topics ? "Documents of each topic" : "Clusters",
      `${MEMBERS} ${cluster} (→).${findings.form === "table" ? ` ${EFFECTS}` : ""}`,
      showCards(findings, options),
    ),
    findings.choice && section("choice", `How many ${cluster}s`, null, showChoice(findings, options)),
    findings.hierarchy &&
      section(
        "alike",
        "Which are alike",
        `The tree joins ${cluster}s whose prototypes are most alike first (average linkage).`,
        element(
          "div",
          { class: "bonmf-figures" },
          showFigure(`Tree of the ${cluster}s`, showHierarchy(findings, options), options),
          showFigure(`Silhouettes by ${cluster}`, showSilhouettes(findings, options), options),
        ),
        ...(findings.topics?.similarity
          ? [showSavable("How alike topics are", showTopicSimilarity(findings), options)]
          : []),
      ),
    section(
      "fit",
      "Sizes and convergence",
      null,
      element(
        "div",
        { class: "bonmf-figures" },
        showFigure(`Sizes of the ${cluster}s`, showSizes(findings, options), options),
        showFigure("Convergence", showConvergence(findings, options), options),
      ),
    ),
    agreement &&
      section(
        "classes",
        "Against the classes",
        null,
        element(
          "div",
          { class: "bonmf-beside" },
          showSavable(`Classes against ${cluster}s`, showMatrix(findings, options), options),
          showClasses(findings),
        ),
      ),
    section("repeat", "How to repeat it", null, showRepeat(findings)),
  ].filter((one) => one !== null);
  return showPage(
    findings,
    "bonmf report",
    [showHeadline(findings), showStats(findings), showSummary(findings)],
    sections,
  );
}
