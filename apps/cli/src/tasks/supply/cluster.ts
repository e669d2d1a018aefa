import { fit, OptionError } from "bonmf";
import { isLoss, sparkEngine } from "bonmf-spark";
import type { Call } from "../../command.js";
import { UserError } from "../../errors.js";
import { sparkInput } from "../../spark/options.js";
import { explainSpark } from "../../spark/trouble.js";
import type { Supply } from "./supply.js";

/** Rows that stay on a Spark cluster. */
export async function openCluster(call: Call): Promise<Supply> {
  const { args, options, terminal } = call;
  const { name, ...place } = sparkInput(call, args);
  if ((options.string("scale") ?? "none") !== "none")
    throw new UserError("on a cluster samples cannot be scaled", "scale them in the query: --sql");
  const lost = new AbortController();
  const signal = AbortSignal.any([call.signal, lost.signal]);
  const explain = (error: unknown) => {
    if (isLoss(lost.signal.reason)) throw new UserError(`the Spark server went away: ${lost.signal.reason.message}`);
    if (error instanceof OptionError && error.option === "method") throw new UserError(error.message);
    throw explainSpark(error, name);
  };
  const progress = terminal.progress("looking at the rows");
  progress.update(0, null, "");
  const onNote = (note: string) => terminal.note(`note: ${note}`);
  const rows = await sparkEngine({ ...place, onNote, lost, signal })
    .catch(explain)
    .finally(() => progress.end());
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
