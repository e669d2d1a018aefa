import type { Model } from "bonmf";
import type { Options } from "../command.js";
import { UserError } from "../errors.js";
import { fitOptions } from "./fit-options.js";

/** A resumed fit is the same fit: only its limits and its threads may be chosen anew. */
export function checkAgreement(options: Options, model: Model): void {
  const { method, init, seed, restarts, update, alpha, sweeps, scale } = fitOptions(options);
  const asked = { k: options.number("k"), method, init, seed, restarts, update, alpha, sweeps, scale };
  const kept: Record<string, unknown> = { ...model.settings, scale: model.scaler.name };
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || value === kept[name]) continue;
    throw new UserError(
      `--${name} ${value} is not what the model was begun with, which is ${kept[name]}`,
      `leave --${name} out to go on with the model's own, or --resume to begin anew`,
    );
  }
}
