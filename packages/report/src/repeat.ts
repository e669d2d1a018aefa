import type { Model } from "bonmf";
import type { Repeat } from "./findings.js";
import type { ReportData } from "./report-data.js";

export function describeRepeat(model: Model, { command = null, told, starts }: ReportData): Repeat {
  const settings = { ...model.settings, scale: model.scaler.name };
  const isTopics = told || command?.startsWith("bonmf topics ");
  const code = isTopics ? writeTopicsCode(model, told?.topics.vectorWeight, starts) : writeCode(settings);
  return { version: model.version, settings, command, code };
}

/** A library call that finds topics again. Of words the model is the last of several fits, from the best of `starts`. */
function writeTopicsCode(
  { settings, tags }: Model,
  vectorWeight: number | undefined,
  starts: number | null | undefined,
): string {
  const { k, method, loss, seed, restarts } = settings;
  const objective = loss === SPECIAL.loss ? {} : { loss };
  const tried = vectorWeight === undefined ? starts : restarts;
  const begun = tried == null ? {} : { restarts: tried };
  const onVectors = vectorWeight === undefined ? {} : { vectorWeight };
  const lines = Object.entries({ k, method, ...objective, seed, ...begun, ...onVectors }).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value)},`,
  );
  // The command notes what guided the fit.
  if (tags.seedWords !== undefined) lines.push(`  seedWords: ${tags.seedWords},`);
  if (tags.previous !== undefined) lines.push("  previous, // the topics of the earlier fit");
  const rows = vectorWeight === undefined ? "counts, vocabulary" : "counts, vocabulary, vectors";
  const call = `const found = await topics({ ${rows} }, {`;
  return ['import { topics } from "bonmf";', "", call, ...lines, "});"].join("\n");
}

/** Method-specific options with their defaults. */
const SPECIAL = {
  ...{ update: "mean", alpha: 1, sweeps: 1, emptyClusters: "reseed" },
  ...{ loss: "frobenius", l1W: 0, l2W: 0, l1H: 0, l2H: 0 },
} as const;

/** A library call that reproduces this model. */
function writeCode(settings: Repeat["settings"]): string {
  const given = settings.init === "given";
  const usual = (name: string, value: unknown) =>
    Object.hasOwn(SPECIAL, name) && SPECIAL[name as keyof typeof SPECIAL] === value;
  const lines = Object.entries(settings)
    .filter(([name, value]) => !usual(name, value) && !(given && name === "init"))
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  if (given) lines.push("  init: prototypes, // one row each, as they were given");
  return ['import { fit } from "bonmf";', "", "const model = await fit(X, {", ...lines, "});"].join("\n");
}
