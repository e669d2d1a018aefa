import { OptionError } from "bonmf";
import { writeRecipe } from "bonmf-data/recipe";
import { isLoss } from "bonmf-spark";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { explainSpark } from "../spark/errors.js";
import { hideToken, refuseScale, sparkInput, targetOf } from "../spark/options.js";
import { openRows } from "../spark/rows.js";
import type { Input } from "./input.js";

/** Rows that stay on a Spark cluster, with their labels; only the model comes here. */
export async function openCluster(call: Call): Promise<Input> {
  const { name, ...place } = sparkInput(call, call.args);
  refuseScale(call.options);
  const { source: rows, signal } = await openRows(call, place).catch((error: unknown) => {
    throw explainSpark(error, name);
  });
  const recipe = { kind: "parquet" } as const;
  return {
    place: "cluster",
    name,
    url: hideToken(place.url),
    kind: recipe.kind,
    recipe,
    samples: rows.samples,
    features: rows.features,
    labels: null,
    X: rows,
    options: {
      scale: undefined,
      featureNames: rows.featureNames,
      tags: { recipe: writeRecipe(recipe), source: name },
    },
    signal,
    describeAbort: () => (isLoss(signal.reason) ? `the Spark server went away (${signal.reason.message}): ` : ""),
    explain(error) {
      if (isLoss(signal.reason)) return new UserError(`the Spark server went away: ${signal.reason.message}`);
      if (error instanceof OptionError && error.option === "method") return new UserError(error.message);
      return explainSpark(error, name);
    },
    checkpointPath: () => null,
    async writeAssignments(path, model) {
      await rows.label(model, targetOf(path)).catch((error: unknown) => {
        throw explainSpark(error, name);
      });
    },
    close: () => rows.close().catch(() => {}),
  };
}
