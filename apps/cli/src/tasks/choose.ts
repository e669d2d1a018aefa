import { type FitOptions, saveModel } from "bonmf";
import type { Call, Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { type Input, openInput } from "../input/input.js";
import { decimal, duration, percent, plural, replaceControls, table } from "../show/text.js";
import { openDraft, writeWhole } from "../write/file.js";
import { type Choice, chooseK, type Trial } from "./choose-k.js";
import { fitToEnd } from "./fit-driver.js";
import { fitOptions } from "./fit-options.js";
import { parseRange } from "./k-range.js";

/** A single run may end in a poor local optimum, which says nothing about its k. */
const RESTARTS = 3;
/** "No substantial structure", by Kaufman and Rousseeuw (1990). */
const WEAK = 0.25;

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const ks = parseRange(options.string("k"));
  const out = options.string("out") ?? null;
  if (out !== null) await (await openDraft(out)).discard();
  const input = await openInput(call);
  try {
    checkRange(ks, input);
    let begun = 0;
    const fitOne = async (k: number) => {
      const title = `k = ${k} (${++begun} of ${ks.length})`;
      return (await fitToEnd(input, terminal, { title, options: optionsFor(call, k) })).model;
    };
    const choice = await chooseK(fitOne, input.measureSilhouette ?? null, ks, input.labels);
    if (out !== null) await writeWhole(out, saveModel(choice.model));
    noteDoubts(choice, terminal);
    terminal.out(terminal.json ? JSON.stringify(toJson(choice, input, out)) : report(choice, input, out, terminal));
  } finally {
    await input.close();
  }
}

function checkRange(ks: readonly number[], { samples, measureSilhouette }: Input): void {
  const large = ks.find((k) => k > samples);
  if (large !== undefined) {
    throw new UserError(`--k asks for ${large} clusters, but there are only ${plural(samples, "sample")}`);
  }
  if (measureSilhouette === undefined && ks.length < 3) {
    throw new UserError(
      "if samples are not in memory, k is chosen at the bend of the relative error, which needs three numbers of clusters",
      "for example --k 2-12",
    );
  }
}

function optionsFor({ options }: Call, k: number): FitOptions {
  const given = fitOptions(options);
  const { restarts = RESTARTS, init = ownInit(given) } = given;
  return { ...given, k, restarts, init };
}

/** The paper's initialisation of bonmf misses clusters more often: it found k in 38 of 60 synthetic sets, this one in all. */
function ownInit({ method = "bonmf", update = "mean" }: Omit<FitOptions, "k">): FitOptions["init"] {
  return method === "bonmf" && update === "mean" ? "plusplus" : undefined;
}

/** Notes why the suggestion may be poor. */
function noteDoubts({ trials, suggested }: Choice, { note }: Terminal): void {
  const [first, last] = [trials[0].k, trials[trials.length - 1].k];
  const best = trials.find(({ k }) => k === suggested)!.silhouette;
  if (suggested === last) note(`note: ${last} is the largest k tried: a larger one may be better`);
  else if (suggested === first && first > 2)
    note(`note: ${first} is the smallest k tried: a smaller one may be better`);
  if (best !== null && best < WEAK)
    note(`note: a mean silhouette below ${WEAK} is weak: the clusters overlap for every k`);
}

/** What `bonmf choose --json` prints: a contract, described in docs/cli.md. */
function toJson({ trials, suggested, reason, model }: Choice, { samples, features }: Input, out: string | null) {
  return { method: model.method, seed: model.seed, samples, features, suggested, reason, rows: trials, model: out };
}

type Measure = Exclude<keyof Trial, "k" | "iterations" | "converged">;

const MEASURES: readonly { name: Measure; title: string; show: (value: number) => string }[] = [
  { name: "objective", title: "objective", show: decimal },
  { name: "relativeError", title: "relative error", show: decimal },
  { name: "silhouette", title: "silhouette", show: (value) => value.toFixed(3) },
  { name: "seconds", title: "time", show: duration },
  { name: "labelAccuracy", title: "label accuracy", show: (value) => percent(value) },
  { name: "nmi", title: "NMI", show: (value) => value.toFixed(3) },
  { name: "ari", title: "ARI", show: (value) => value.toFixed(3) },
];

function report(choice: Choice, input: Input, out: string | null, { style }: Terminal): string {
  const { trials, suggested, reason, model } = choice;
  const measures = MEASURES.filter(({ name }) => trials.some((trial) => trial[name] !== null));
  const titles = ["k ", "iterations ", ...measures.map(({ title }) => title)];
  const cells = trials.map((trial) => [
    trial.k === suggested ? style.good(`${trial.k}*`) : `${trial.k} `,
    `${trial.iterations}${trial.converged ? " " : "+"}`,
    ...measures.map(({ name, show }) => (trial[name] === null ? "–" : show(trial[name]))),
  ]);
  const shape = `${plural(input.samples, "sample")} × ${plural(input.features, "feature")}`;
  const legend = trials.some(({ converged }) => !converged) ? ["+ stopped at the iteration limit"] : [];
  const runs = model.settings.restarts > 1 ? `, best of ${model.settings.restarts} runs each` : "";
  return [
    `${style.bold(replaceControls(input.name))}  ${shape}, ${model.method}, seed ${model.seed}${runs}`,
    "",
    table(
      titles.map((title) => ({ title, right: true })),
      cells,
      style,
    ),
    "",
    ...legend.map(style.dim),
    `${style.good("* suggested:")} ${reason}`,
    ...(out === null ? [] : [`model written to ${style.accent(replaceControls(out))}`]),
  ].join("\n");
}
