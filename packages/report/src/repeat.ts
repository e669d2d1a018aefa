import type { Model } from "bonmf";
import type { Repeat } from "./findings.js";

export function describeRepeat(model: Model, command: string | null): Repeat {
  const settings = { ...model.settings, scale: model.scaler.name };
  return { version: model.version, settings, command, code: writeCode(settings) };
}

/** Method-specific options with their defaults. */
const SPECIAL = { update: "mean", alpha: 1, sweeps: 1, emptyClusters: "reseed" } as const;

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
