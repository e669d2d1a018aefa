import { fit, OptionError } from "bonmf";
import { isLoss } from "bonmf-spark";
import type { Call } from "../../command.js";
import { UserError } from "../../errors.js";
import { refuseScale, sparkInput } from "../../spark/options.js";
import { openRows } from "../../spark/rows.js";
import { explainSpark } from "../../spark/trouble.js";
import type { Supply } from "./supply.js";

/** Rows that stay on a Spark cluster. */
export async function openCluster(call: Call): Promise<Supply> {
  const { name, ...place } = sparkInput(call, call.args);
  refuseScale(call.options);
  const { source: rows, signal } = await openRows(call, place).catch((error: unknown) => {
    throw explainSpark(error, name);
  });
  const explain = (error: unknown) => {
    if (isLoss(signal.reason)) throw new UserError(`the Spark server went away: ${signal.reason.message}`);
    if (error instanceof OptionError && error.option === "method") throw new UserError(error.message);
    throw explainSpark(error, name);
  };
  return {
    source: name,
    samples: rows.samples,
    features: rows.features,
    classes: null,
    fit: ({ scale: _, ...options }) =>
      fit(rows, {
        ...options,
        signal,
        featureNames: rows.featureNames,
        tags: { recipe: JSON.stringify({ kind: "parquet" }), source: name },
      }).catch(explain),
    measure: null,
    close: () => rows.close().catch(() => {}),
  };
}
