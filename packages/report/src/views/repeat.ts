import type { Findings } from "../findings.js";
import { element } from "./element.js";
import { nounsOf } from "./nouns.js";
import { count } from "./numbers.js";

/** The settings, and the lines that give the same result again. */
export function showRepeat(findings: Findings): HTMLElement {
  const { repeat, run } = findings;
  const { settings, command, code, version } = repeat;
  const { sample, cluster } = nounsOf(findings);
  const entries: [string, string][] = [
    ...Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]),
    ["bonmf", version],
  ];
  const rows = entries.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element(
    "div",
    { class: "bonmf-repeat" },
    element("dl", { class: "bonmf-settings" }, ...rows),
    element(
      "div",
      {},
      command !== null && showCode("In a terminal", command),
      showCode("In TypeScript or JavaScript", code),
      element(
        "p",
        { class: "bonmf-hint" },
        `The same ${sample}s, options and seed give the same ${cluster}s, to the last bit` +
          (run.k < run.fitted ? `: the ${count(run.fitted)} that are merged here.` : "."),
      ),
    ),
  );
}

export function showCode(title: string, code: string): HTMLElement {
  return element(
    "div",
    { class: "bonmf-code" },
    element("h3", {}, title),
    element("pre", { tabindex: "0", role: "region", "aria-label": title }, element("code", {}, code)),
  );
}
