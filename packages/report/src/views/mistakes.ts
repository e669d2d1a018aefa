import type { Ground, Mistake, Reason, TestFindings } from "../test-findings.js";
import { drawPixels } from "./canvas.js";
import { element } from "./element.js";
import { decimal, percent, plural } from "./numbers.js";
import { showPreview } from "./preview.js";

/** The wrong answers that the classifier was surest of. */
export function showMistakes({ mistakes, pictures, form }: TestFindings): HTMLElement {
  if (mistakes.length === 0) return element("p", { class: "bonmf-none" }, "No answer is wrong.");
  const items = mistakes.map((one) => showMistake(one, pictures));
  return element("ol", { class: `bonmf-mistakes bonmf-mistakes-${form}` }, ...items);
}

function showMistake(one: Mistake, pictures: TestFindings["pictures"]): HTMLElement {
  const { id, truth, given, probability, truthProbability, preview, reasons, neighbor } = one;
  const against = `${percent(truthProbability, 0)} for ${truth}`;
  return element(
    "li",
    { class: "bonmf-mistake" },
    element(
      "p",
      { class: "bonmf-verdict" },
      element("b", {}, given),
      ` ${percent(probability, 0)} `,
      element("small", {}, `is ${truth}`),
    ),
    element(
      "div",
      { class: "bonmf-exhibit" },
      showPreview(preview, pictures, `${id}: ${truth} taken for ${given}`),
      pictures &&
        neighbor &&
        element(
          "figure",
          { title: `nearest training sample: ${neighbor.id}` },
          showPreview(neighbor.preview, pictures, `The nearest training sample, ${neighbor.id}, of class ${given}`),
          element("figcaption", {}, `like this ${given}`),
        ),
    ),
    reasons.length > 0 && listReasons(reasons, `Why ${given}`),
    element("p", { class: "bonmf-facts" }, [id, against, ...tellNeighbor(one, pictures)].join(" · ")),
  );
}

function tellNeighbor({ neighbor, given }: Mistake, pictures: TestFindings["pictures"]): string[] {
  return neighbor && !pictures ? [`nearest: ${neighbor.id}, ${given}`] : [];
}

/** A card for each class: its prototype, or what spoke for it and against it. */
export function showGrounds({ grounds, pictures }: TestFindings): HTMLElement {
  if (grounds.length === 0) return element("p", { class: "bonmf-none" }, "There were no answers.");
  const cards = grounds.map((ground) => showGround(ground, pictures));
  return element("ul", { class: pictures ? "bonmf-grounds bonmf-grounds-picture" : "bonmf-grounds" }, ...cards);
}

function showGround({ label, answers, reasons, picture }: Ground, pictures: TestFindings["pictures"]): HTMLElement {
  return element(
    "li",
    { class: "bonmf-card" },
    element("header", {}, element("h3", {}, label), element("p", { class: "bonmf-facts" }, plural(answers, "answer"))),
    picture && pictures && drawPixels(picture, pictures, pictures, `Prototype of most answers ${label}`),
    reasons.length > 0 && listReasons(reasons, `What speaks for ${label}`),
  );
}

/** Bars to the right speak for the class, to the left against it. */
function listReasons(reasons: readonly Reason[], name: string): HTMLElement {
  const reach = Math.max(...reasons.map(({ amount }) => Math.abs(amount))) || 1;
  const items = reasons.map(({ name: feature, amount }) => {
    const start = 0.5 + Math.min(0, amount) / (2 * reach);
    const end = 0.5 + Math.max(0, amount) / (2 * reach);
    const side = `${amount < 0 ? "−" : "+"}${decimal(Math.abs(amount))}`;
    return element(
      "li",
      { title: `${feature}: ${side}` },
      element("span", { class: "bonmf-name" }, feature),
      element("span", { class: "bonmf-value" }, side),
      element("span", {
        class: "bonmf-effect",
        style: `--bonmf-start: ${start}; --bonmf-end: ${end}; --bonmf-from: 0.5; --bonmf-to: 0.5`,
        "aria-hidden": "true",
      }),
    );
  });
  return element("ul", { class: "bonmf-distinctive", "aria-label": name }, ...items);
}
